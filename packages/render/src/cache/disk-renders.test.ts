import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Renderer } from '../renderer.ts';
import { MemoryTree } from '../testing.ts';

const configMap = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: "${value}"}\n`;
const treeOf = (value: string, more: Record<string, string> = {}) =>
  new MemoryTree({ 'p/a.yaml': configMap(value), ...more });
const source = { repoURL: 'u', path: 'p' };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-renders-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** Whether the render came from disk, by a renderer that knows nothing else. */
async function comesFromDisk(tree: MemoryTree): Promise<boolean> {
  const renderer = new Renderer({ dir });
  const before = tree.reads;
  const { manifests } = await renderer.render({ tree, source });
  expect(manifests).toHaveLength(1);
  return tree.reads === before;
}

describe('renders on disk', () => {
  it('answer the next process for any tree on which their inputs hold', async () => {
    expect(await comesFromDisk(treeOf('1'))).toBe(false);
    expect(await comesFromDisk(treeOf('1', { 'other/b.yaml': 'x' }))).toBe(true);
    expect(await comesFromDisk(treeOf('2'))).toBe(false);
    expect(await comesFromDisk(treeOf('1'))).toBe(true);
    expect(await comesFromDisk(treeOf('2'))).toBe(true);
  });

  it('are rendered anew when a byte on disk was changed', async () => {
    await comesFromDisk(treeOf('1'));
    const file = join(dir, (await readdir(dir))[0] ?? '');
    const content = await readFile(file);
    await writeFile(
      file,
      content.map((byte, at) => (at === content.length - 40 ? byte ^ 1 : byte)),
    );
    const renderer = new Renderer({ dir });
    const { manifests } = await renderer.render({ tree: treeOf('1'), source });
    expect(manifests[0]?.['data']).toEqual({ a: '1' });
    expect(renderer.diskCounts).toMatchObject({ damaged: 1 });
    expect(await comesFromDisk(treeOf('1'))).toBe(true);
  });

  it('are passed over when asked for fresh', async () => {
    await comesFromDisk(treeOf('1'));
    const tree = treeOf('1');
    await new Renderer({ dir }).render({ tree, source }, { fresh: true });
    expect(tree.reads).toBe(1);
  });
});
