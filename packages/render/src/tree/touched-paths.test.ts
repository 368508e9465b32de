import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemoryTree } from '../testing.ts';
import { filteredNames, type ReadSet, stillHolds } from './read-set.ts';
import { TouchedPaths } from './touched-paths.ts';

const paths = ['a', 'a/x.yaml', 'a/y.yaml', 'a/b', 'a/b/z.yaml', 'c/x.yaml', 'd', 'd/e/f.yaml', 'top.yaml'];
const filter = { suffixes: ['.yaml'], folders: true };
const files = fc.dictionary(fc.constantFrom(...paths), fc.constantFrom('1', '2', 'link:x'));

/** No path is a file and a folder at once. */
const possible = (given: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(given).filter(([path]) => !Object.keys(given).some((other) => other.startsWith(`${path}/`))),
  );

/** Everything a render could have read of a tree. */
async function readAll(tree: MemoryTree): Promise<ReadSet[]> {
  return Promise.all(
    ['', ...paths].map(async (path): Promise<ReadSet> => {
      const entry = await tree.entry(path);
      if (!entry) return { blobs: [], listings: [], absences: [path] };
      if (entry.kind !== 'tree') return { blobs: [{ path, id: entry.id }], listings: [], absences: [] };
      const names = filteredNames((await tree.list(path)) ?? [], filter);
      return { blobs: [], listings: [{ path, filter, names }], absences: [] };
    }),
  );
}

it('never calls a render untouched that would read something else', async () => {
  await fc.assert(
    fc.asyncProperty(files, files, async (one, other) => {
      const [before, after] = [new MemoryTree(possible(one)), new MemoryTree(possible(other))];
      const touched = await TouchedPaths.between(before, after);
      for (const read of await readAll(before)) {
        if (touched?.mayTouch(read) === false) expect(await stillHolds(read, after)).toBe(true);
      }
    }),
    { numRuns: 500, seed: 7 },
  );
});

it('leaves everything alone that a one-file change did not touch', async () => {
  const before = new MemoryTree({ 'a/x.yaml': '1', 'c/x.yaml': '1', 'd/e/f.yaml': '1' });
  const touched = await TouchedPaths.between(
    before,
    new MemoryTree({ 'a/x.yaml': '2', 'c/x.yaml': '1', 'd/e/f.yaml': '1' }),
  );
  const reading = (path: string): ReadSet => ({ blobs: [{ path, id: '' }], listings: [], absences: [] });
  expect(['a/x.yaml', 'c/x.yaml', 'd/e/f.yaml'].map((path) => touched?.mayTouch(reading(path)))).toEqual([
    true,
    false,
    false,
  ]);
});
