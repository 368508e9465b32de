import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { childrenOfThis, makeLargeRepository, openRendering } from './large-repository.ts';

// A hundred thousand files and a hundred megabytes: `npm run prove -- render`.
it('bounds what a large repository costs, and leaves nothing behind', { timeout: 120_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-large-'));
  const before = await childrenOfThis();
  try {
    const url = await makeLargeRepository(dir, { files: 3_000, largeFileBytes: 33 * 1024 * 1024 });
    const rendering = await openRendering(dir, url);
    const [large, healthy, many] = await Promise.all([
      rendering.render('large'),
      rendering.render('app'),
      rendering.render('many', { recurse: true }),
    ]);
    expect(large).toEqual({ refusal: expect.stringMatching(/^large\/cm\.yaml: cannot be read: .*33554432/) });
    expect(healthy).toEqual({ objects: 1 });
    expect(many).toEqual({ objects: 3_000 });
    await rendering.stop();
    await expect.poll(childrenOfThis, { timeout: 30_000 }).toEqual(before);
    expect((await readdir(dir)).sort()).toEqual(['large.git', 'mirrors', 'renders']);
  } finally {
    await rm(dir, { recursive: true });
  }
});
