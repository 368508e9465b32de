// A folder tree frozen at one moment, addressed by path from its root. '' is the root; paths have no leading slash.
import type { Repository, TreeEntry } from '@fairlead/git';
import { RenderError } from '../errors.ts';

export interface SourceTree {
  /** Equal ids mean equal content. */
  readonly id: string;
  /** What stands at a path, symbolic links unfollowed; undefined when nothing does. */
  entry(path: string): Promise<TreeEntry | undefined>;
  /** The entries of a folder; undefined when the path is no folder. */
  list(path: string): Promise<readonly TreeEntry[] | undefined>;
  read(entry: TreeEntry): Promise<Buffer>;
}

/** The tree of one commit in a mirror. */
export class GitTree implements SourceTree {
  readonly id: string;
  readonly #repository: Repository;

  constructor(repository: Repository, treeId: string) {
    this.#repository = repository;
    this.id = treeId;
  }

  static async ofCommit(repository: Repository, commit: string): Promise<GitTree> {
    const { tree } = await repository.commitMetadata(commit);
    return new GitTree(repository, tree);
  }

  async entry(path: string): Promise<TreeEntry | undefined> {
    let at: TreeEntry = { name: '', kind: 'tree', id: this.id };
    for (const name of path.split('/').filter((part) => part !== '')) {
      if (at.kind !== 'tree') return undefined;
      const entries = await this.#repository.readTree(at.id);
      const next = entryNamed(entries, name);
      if (!next) return undefined;
      at = next;
    }
    return at;
  }

  async list(path: string): Promise<readonly TreeEntry[] | undefined> {
    const entry = await this.entry(path);
    return entry?.kind === 'tree' ? this.#repository.readTree(entry.id) : undefined;
  }

  read(entry: TreeEntry): Promise<Buffer> {
    return this.#repository.readBlob(entry.id);
  }
}

/** Folders of this size and more are searched by an index, kept as long as the cache keeps the folder. */
const indexedSize = 32;
const indexes = new WeakMap<readonly TreeEntry[], ReadonlyMap<string, TreeEntry>>();

function entryNamed(entries: readonly TreeEntry[], name: string): TreeEntry | undefined {
  if (entries.length < indexedSize) return entries.find((entry) => entry.name === name);
  let index = indexes.get(entries);
  if (!index) {
    index = new Map(entries.map((entry) => [entry.name, entry]));
    indexes.set(entries, index);
  }
  return index.get(name);
}

/** `./dev/` → `dev`. What leaves the repository is refused. */
export function cleanPath(path: string): string {
  if (path.startsWith('/')) throw new RenderError(`path ${JSON.stringify(path)} is absolute; it must be relative`);
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined)
      throw new RenderError(`path ${JSON.stringify(path)} leads out of the repository`);
  }
  return parts.join('/');
}
