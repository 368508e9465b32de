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
      const lists = [(await before.list(folder)) ?? [], (await after.list(folder)) ?? []] as const;
      for (const [old, now] of differences(...lists)) {
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

type Difference = readonly [old: TreeEntry | undefined, now: TreeEntry | undefined];

const isSame = (old: TreeEntry | undefined, now: TreeEntry | undefined) =>
  old?.id === now?.id && old?.kind === now?.kind;

/** Entries are in order, so that most of a large folder of which little has changed is compared place by place. */
function differences(before: readonly TreeEntry[], after: readonly TreeEntry[]): Difference[] {
  const found: Difference[] = [];
  let at = 0;
  for (; at < before.length && before[at]?.name === after[at]?.name; at++) {
    if (!isSame(before[at], after[at])) found.push([before[at], after[at]]);
  }
  const names = new Map(after.slice(at).map((entry) => [entry.name, entry]));
  for (const old of before.slice(at)) {
    if (!isSame(old, names.get(old.name))) found.push([old, names.get(old.name)]);
    names.delete(old.name);
  }
  for (const now of names.values()) found.push([undefined, now]);
  return found;
}
