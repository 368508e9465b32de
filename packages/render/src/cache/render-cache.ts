// Renders by what they read, not by commit: the answer of an earlier render is given again for any tree on which its
// read set holds. Bounded by the size of the manifests kept; at the bound the least recently used goes.
import { BoundedCache } from '@fairlead/git';
import { type ReadSet, type SourceTree, stillHolds } from '../tree/index.ts';

interface Remembered<R> {
  readonly treeId: string;
  readonly readSet: ReadSet;
  readonly result: R;
  readonly size: number;
}

/** Branches of one repository alternate between a few states. */
const maxPerRequest = 4;

export class RenderCache<R> {
  readonly #cache: BoundedCache<string, readonly Remembered<R>[]>;
  readonly counts = { hits: 0, misses: 0 };

  constructor(maxBytes: number) {
    this.#cache = new BoundedCache(maxBytes);
  }

  get sizeBytes(): number {
    return this.#cache.size;
  }

  get evictions(): number {
    return this.#cache.evictions;
  }

  /** `request` stands for everything but the tree: source settings, parameters, tool version. */
  async find(request: string, tree: SourceTree): Promise<R | undefined> {
    const known = this.#cache.get(request) ?? [];
    let found = known.find((entry) => entry.treeId === tree.id);
    if (!found) {
      for (const entry of known) {
        if (!(await stillHolds(entry.readSet, tree))) continue;
        found = { ...entry, treeId: tree.id };
        this.#put(request, [found, ...known.filter((other) => other !== entry)]);
        break;
      }
    }
    if (found) this.counts.hits++;
    else this.counts.misses++;
    return found?.result;
  }

  keep(request: string, entry: Remembered<R>): void {
    const known = this.#cache.get(request) ?? [];
    this.#put(request, [entry, ...known].slice(0, maxPerRequest));
  }

  #put(request: string, entries: readonly Remembered<R>[]): void {
    const size = entries.reduce((sum, entry) => sum + entry.size, 0);
    this.#cache.set(request, entries, size);
  }
}
