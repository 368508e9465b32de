import type { Repository, TreeEntry } from '../mirror/index.ts';
import type { FileVersion } from './tree-difference.ts';

/** What a commit has at a path. `below`: a file stands where the path needs a folder. */
export type Found =
  | { readonly kind: 'nothing'; readonly below?: string }
  | { readonly kind: TreeEntry['kind']; readonly version: FileVersion };

const modeOf = ({ kind, executable }: TreeEntry): string => {
  if (kind === 'tree') return '040000';
  if (kind === 'link') return '120000';
  if (kind === 'submodule') return '160000';
  return executable ? '100755' : '100644';
};

/** No commit (a branch that is not there yet) has nothing anywhere. */
export async function findAt(repository: Repository, commit: string | undefined, path: string): Promise<Found> {
  if (commit === undefined) return { kind: 'nothing' };
  let entries = await repository.tree(commit, '');
  const segments = path.split('/');
  for (const [depth, name] of segments.entries()) {
    const entry = entries?.find((candidate) => candidate.name === name);
    if (!entry) return { kind: 'nothing' };
    if (depth === segments.length - 1) return { kind: entry.kind, version: { mode: modeOf(entry), id: entry.id } };
    if (entry.kind !== 'tree') return { kind: 'nothing', below: segments.slice(0, depth + 1).join('/') };
    entries = await repository.readTree(entry.id);
  }
  return { kind: 'nothing' };
}

export const isSameVersion = (a: FileVersion | undefined, b: FileVersion | undefined): boolean =>
  a?.id === b?.id && a?.mode === b?.mode;

export const versionOf = (found: Found): FileVersion | undefined =>
  found.kind === 'nothing' ? undefined : found.version;

/** `a/b/c` → `a`, `a/b`. */
export const foldersOf = (path: string): string[] => {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
};
