import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitMirrors, WorkingCopy } from '@fairlead/git';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GitTree, TracedTree } from './index.ts';

let dir: string;
let mirrors: GitMirrors;
let tree: TracedTree;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-tree-'));
  const work = await WorkingCopy.init(join(dir, 'work'));
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n';
  await work.write({ 'app/a.yaml': 'a: 1', 'app/big.yaml': pointer, 'plain/b.yaml': 'b: 1' });
  const commit = await work.commit('files');
  await work.git('update-index', '--add', '--cacheinfo', `160000,${commit},app/vendor/lib`);
  await work.git('commit', '--quiet', '-m', 'a submodule');
  mirrors = new GitMirrors({ dir: join(dir, 'mirrors'), allowFile: true });
  const head = await mirrors.resolve(work.dir, 'main');
  tree = new TracedTree(await GitTree.ofCommit(await mirrors.repository(work.dir), head));
});
afterAll(async () => {
  mirrors.stop();
  await rm(dir, { recursive: true, force: true });
});

const filter = { suffixes: ['.yaml'], folders: true };

it('refuses a file that is kept in Git LFS, by name, and only where it is read', async () => {
  await expect(tree.read('app/big.yaml')).rejects.toThrow('app/big.yaml is kept in Git LFS, which is not supported');
  expect((await tree.read('app/a.yaml'))?.toString('utf8')).toBe('a: 1');
});

it('refuses a submodule, by name, where it is looked into or passed through', async () => {
  const words = 'app/vendor/lib is a git submodule, which is not supported';
  await expect(tree.list('app/vendor', filter)).rejects.toThrow(words);
  await expect(tree.isFile('app/vendor/lib/Chart.yaml')).rejects.toThrow(words);
  expect(await tree.list('app', filter)).toHaveLength(3);
  expect(await tree.list('app/vendor', { ...filter, folders: false })).toEqual([]);
  expect(await tree.list('plain', filter)).toHaveLength(1);
});
