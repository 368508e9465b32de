// What mirrors may take on disk.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WorkingCopy } from '../testing.ts';
import { GitMirrors } from './index.ts';

let dir: string;
const works: WorkingCopy[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-folder-'));
  for (const name of ['a', 'b', 'c']) {
    const work = await WorkingCopy.init(join(dir, name));
    await work.write({ 'file.txt': name });
    await work.commit('first');
    works.push(work);
  }
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const contentOf = async (mirrors: GitMirrors, url: string) => {
  const repository = await mirrors.repository(url);
  const [entry] = (await repository.tree(await mirrors.resolve(url, 'main'), '')) ?? [];
  return (await repository.readBlob(entry?.id ?? '')).toString('utf8');
};

it('removes the mirror that was used least recently, and fetches it anew when it is asked for', async () => {
  const mirrorsDir = join(dir, 'bounded');
  const mirrors = new GitMirrors({ dir: mirrorsDir, allowFile: true, maxDiskBytes: 1, idleMs: 0 });
  for (const [index, work] of works.entries()) {
    expect(await contentOf(mirrors, work.dir)).toBe(['a', 'b', 'c'][index]);
    expect(await readdir(mirrorsDir)).toHaveLength(1);
  }
  expect(mirrors.counts).toMatchObject({ mirrorsRemoved: 2 });
  expect(await contentOf(mirrors, works[0]?.dir ?? '')).toBe('a');
  mirrors.stop();
});

it('removes none that is in use, counts that it is over the bound, and finds what an earlier process left', async () => {
  const options = { dir: join(dir, 'busy'), allowFile: true, maxDiskBytes: 1 };
  const first = new GitMirrors(options);
  for (const work of works.slice(0, 2)) await contentOf(first, work.dir);
  expect(first.counts).toMatchObject({ mirrorsRemoved: 0, diskOverflows: 2 });
  expect(await readdir(options.dir)).toHaveLength(2);
  first.stop();
  const second = new GitMirrors({ ...options, idleMs: 0 });
  await contentOf(second, works[2]?.dir ?? '');
  expect(second.counts.mirrorsRemoved).toBe(2);
  expect(await readdir(options.dir)).toHaveLength(1);
  second.stop();
});
