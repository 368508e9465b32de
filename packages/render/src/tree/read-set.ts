// The exact inputs of a render, as a value. A render gives the same answer on every tree on which its read set holds,
// so a new commit that leaves the read set alone need not be rendered at all.
import type { TreeEntry } from '@fairlead/git';
import type { SourceTree } from './source-tree.ts';

/** Which entries of a folder were looked at; others may come and go. */
export interface ListingFilter {
  /** Ends of file names, such as `.yaml`. */
  readonly suffixes: readonly string[];
  readonly folders: boolean;
}

export interface ReadSet {
  /** Files and links read, with the id of their content. */
  readonly blobs: readonly { readonly path: string; readonly id: string }[];
  readonly listings: readonly {
    readonly path: string;
    readonly filter: ListingFilter;
    readonly names: readonly string[];
  }[];
  /** Paths at which nothing was found. */
  readonly absences: readonly string[];
}

export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Folders end with `/`, links with `@`: a file that becomes a folder of the same name is another listing. */
export function filteredNames(entries: readonly TreeEntry[], filter: ListingFilter): string[] {
  return filteredEntries(entries, filter)
    .map(({ name, kind }) => (kind === 'tree' ? `${name}/` : kind === 'link' ? `${name}@` : name))
    .sort();
}

export function filteredEntries(entries: readonly TreeEntry[], { suffixes, folders }: ListingFilter): TreeEntry[] {
  return entries.filter(({ name, kind }) => {
    if (kind === 'tree') return folders;
    return kind !== 'submodule' && suffixes.some((suffix) => name.endsWith(suffix));
  });
}

export const isEmptyReadSet = ({ blobs, listings, absences }: ReadSet): boolean =>
  blobs.length + listings.length + absences.length === 0;

/** Whether a render that read exactly `readSet` would read the same on `tree`. */
export async function stillHolds(readSet: ReadSet, tree: SourceTree): Promise<boolean> {
  for (const { path, id } of readSet.blobs) if ((await tree.entry(path))?.id !== id) return false;
  for (const path of readSet.absences) if (await tree.entry(path)) return false;
  for (const { path, filter, names } of readSet.listings) {
    const entries = await tree.list(path);
    const found = entries && filteredNames(entries, filter);
    if (found?.length !== names.length || found.some((name, index) => name !== names[index])) return false;
  }
  return true;
}
