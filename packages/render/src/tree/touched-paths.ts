// Where two trees differ, found by walking only folders whose ids differ. With it the question whether a render would read
// the same on both is answered for a thousand renders by a few look-ups each.
import type { TreeEntry } from '@fairlead/git';
import { joinPath, type ReadSet } from './read-set.ts';
import type { SourceTree } from './source-tree.ts';

/** A push that touches more is looked at path by path for each render. */
const maxTouched = 10_000;

export class TouchedPaths {
  /** Every path whose entry differs, and every folder above one. */
  readonly #differing: ReadonlySet<string>;
  /** Those that are a folder on one side only: what is below them was not walked. */
  readonly #replaced: ReadonlySet<string>;

  private constructor(differing: ReadonlySet<string>, replaced: ReadonlySet<string>) {
    this.#differing = differing;
    this.#replaced = replaced;
  }

  /** Undefined when there is too much of it. */
  static async between(before: SourceTree, after: SourceTree): Promise<TouchedPaths | undefined> {
    const differing = new Set<string>();
    const replaced = new Set<string>();
    const folders = before.id === after.id ? [] : [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      differing.add(folder);
      const names = byName((await after.list(folder)) ?? []);
      const gone = (await before.list(folder)) ?? [];
      const pairs = gone.map((old): [TreeEntry, TreeEntry | undefined] => [old, names.get(old.name)]);
      for (const { name } of gone) names.delete(name);
      for (const [old, now] of [
        ...pairs,
        ...[...names.values()].map((now): [undefined, TreeEntry] => [undefined, now]),
      ]) {
        if (old?.id === now?.id && old?.kind === now?.kind) continue;
        const path = joinPath(folder, old?.name ?? now?.name ?? '');
        differing.add(path);
        if (old?.kind === 'tree' && now?.kind === 'tree') folders.push(path);
        else if (old?.kind === 'tree' || now?.kind === 'tree') replaced.add(path);
        if (differing.size > maxTouched) return undefined;
      }
    }
    return new TouchedPaths(differing, replaced);
  }

  get size(): number {
    return this.#differing.size;
  }

  /** False: a render that read this on one tree reads the same on the other. True: it has to be looked at. */
  mayTouch({ blobs, listings, absences }: ReadSet): boolean {
    return (
      blobs.some(({ path }) => this.#isTouched(path)) ||
      absences.some((path) => this.#isTouched(path)) ||
      listings.some(({ path }) => this.#isTouched(path))
    );
  }

  #isTouched(path: string): boolean {
    if (this.#differing.has(path)) return true;
    if (this.#replaced.size === 0) return false;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (this.#replaced.has(path.slice(0, at))) return true;
    }
    return false;
  }
}

const byName = (entries: readonly TreeEntry[]) => new Map(entries.map((entry) => [entry.name, entry]));
