import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@fairlead/base';
import { GitMirrors, WorkingCopy } from '@fairlead/git';
import { expect, it } from 'vitest';
import { render } from '../renderer.ts';
import { GitTree } from './index.ts';

it('names the file that is too large to be read, whichever tool asks for it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-large-'));
  const mirrors = new GitMirrors({ dir: join(dir, 'mirrors'), log: silentLogger, allowFile: true, maxBlobBytes: 100 });
  try {
    const copy = await WorkingCopy.init(join(dir, 'work'));
    await copy.write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
      'chart/assets/film.bin': Buffer.alloc(101),
      'plain/film.yaml': '#'.repeat(101),
    });
    await copy.commit('large');
    const commit = await mirrors.resolve(copy.dir, 'main');
    const tree = await GitTree.ofCommit(await mirrors.repository(copy.dir), commit);
    for (const [path, file] of [
      ['chart', 'chart/assets/film.bin'],
      ['plain', 'plain/film.yaml'],
    ] as const) {
      const rendering = render({ tree, source: { repoURL: 'u', path } });
      await expect(rendering).rejects.toThrow(`${file}: cannot be read`);
    }
  } finally {
    await mirrors.stop();
    await rm(dir, { recursive: true });
  }
});
