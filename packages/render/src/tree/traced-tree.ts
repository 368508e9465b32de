// The only way a render touches its source. Whatever is asked here is written down; symbolic links are followed inside
// the repository and refused when they lead out of it.
import { posix } from 'node:path';
import { FairleadError } from '@fairlead/base';
import { isLfsPointer, type TreeEntry } from '@fairlead/git';
import { RenderError } from '../errors.ts';
import { filteredEntries, filteredNames, joinPath, type ListingFilter, type ReadSet } from './read-set.ts';
import { cleanPath, type SourceTree } from './source-tree.ts';

const maxLinks = 20;

export class TracedTree {
  readonly #tree: SourceTree;
  readonly #blobs = new Map<string, string>();
  readonly #listings = new Map<string, { path: string; filter: ListingFilter; names: readonly string[] }>();
  readonly #absences = new Set<string>();
  /** What stands where, as far as it was asked: a tree is frozen, and each file's folders are on the way to it. */
  readonly #entries = new Map<string, TreeEntry>();

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  /** The content of a file; undefined when there is none. */
  async read(path: string): Promise<Buffer | undefined> {
    const found = await this.#find(cleanPath(path));
    if (!found) return undefined;
    if (found.entry.kind !== 'blob') throw new RenderError(`${path} is not a file`);
    this.#blobs.set(found.path, found.entry.id);
    const content = await this.#tree.read(found.entry).catch((cause: unknown) => {
      // A repository knows objects by id only, which tells nobody which file is too large.
      if (!(cause instanceof FairleadError) || cause.code !== 'git_object') throw cause;
      throw new RenderError(`${found.path}: cannot be read: ${cause.message}`, { cause });
    });
    if (isLfsPointer(content))
      throw new RenderError(`${found.path} is kept in Git LFS, which is not supported; keep the file itself in git`);
    return content;
  }

  async isFile(path: string): Promise<boolean> {
    const found = await this.#find(cleanPath(path));
    if (found?.entry.kind !== 'blob') return false;
    this.#blobs.set(found.path, found.entry.id);
    return true;
  }

  async isFolder(path: string): Promise<boolean> {
    return (await this.#find(cleanPath(path)))?.entry.kind === 'tree';
  }

  /** The files and folders that pass the filter, by name. Links count as files; undefined when there is no folder. */
  async list(path: string, filter: ListingFilter): Promise<readonly TreeEntry[] | undefined> {
    const found = await this.#find(cleanPath(path));
    if (!found) return undefined;
    const entries = await this.#tree.list(found.path);
    if (!entries) return undefined;
    const submodule = filter.folders && entries.find(({ kind }) => kind === 'submodule');
    if (submodule) throw submoduleError(joinPath(found.path, submodule.name));
    for (const entry of entries) this.#entries.set(joinPath(found.path, entry.name), entry);
    const key = JSON.stringify([found.path, filter]);
    this.#listings.set(key, { path: found.path, filter, names: filteredNames(entries, filter) });
    return filteredEntries(entries, filter).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  readSet(): ReadSet {
    const blobs = [...this.#blobs].map(([path, id]) => ({ path, id }));
    return {
      blobs: blobs.sort((a, b) => (a.path < b.path ? -1 : 1)),
      listings: [...this.#listings.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
      absences: [...this.#absences].sort(),
    };
  }

  /** Walks a path name by name; each link on the way is an input, and so is the place where the path ends in nothing. */
  async #find(path: string, links = 0): Promise<{ path: string; entry: TreeEntry } | undefined> {
    const names = path.split('/').filter((name) => name !== '');
    let at = '';
    let entry: TreeEntry | undefined;
    for (const [index, name] of names.entries()) {
      at = joinPath(at, name);
      entry = this.#entries.get(at) ?? (await this.#tree.entry(at));
      if (!entry) {
        this.#absences.add(at);
        return undefined;
      }
      this.#entries.set(at, entry);
      if (entry.kind === 'submodule') throw submoduleError(at);
      if (entry.kind !== 'link') continue;
      if (links >= maxLinks) throw new RenderError(`${path}: more than ${maxLinks} symbolic links on the way`);
      this.#blobs.set(at, entry.id);
      const target = (await this.#tree.read(entry)).toString('utf8');
      const rest = names.slice(index + 1);
      return this.#find(resolveLink(at, target, rest), links + 1);
    }
    entry ??= await this.#tree.entry(at);
    return entry && { path: at, entry };
  }
}

function submoduleError(path: string): RenderError {
  const advice = 'make its repository a source of its own, or copy what is needed';
  return new RenderError(`${path} is a git submodule, which is not supported; ${advice}`);
}

function resolveLink(link: string, target: string, rest: readonly string[]): string {
  const resolved = posix.normalize(posix.join(posix.dirname(link), target, ...rest));
  if (target.startsWith('/') || resolved === '..' || resolved.startsWith('../')) {
    throw new RenderError(`repository contains out-of-bounds symlinks: ${link} points to ${target}`);
  }
  return cleanPath(resolved);
}
