// The objects of one resource by namespace and name, and their order for paged lists.
import type { Stored } from './store.ts';

export const collectionKey = (namespace: string, name: string): string => `${namespace}/${name}`;

export class Collection {
  readonly #items = new Map<string, Stored>();
  #sorted: string[] | undefined;
  /** Revision of the latest change, deletions included. */
  latestRevision = 0;

  get size(): number {
    return this.#items.size;
  }

  get(key: string): Stored | undefined {
    return this.#items.get(key);
  }

  set(key: string, stored: Stored): void {
    if (!this.#items.has(key)) this.#sorted = undefined;
    this.#items.set(key, stored);
  }

  delete(key: string): void {
    if (this.#items.delete(key)) this.#sorted = undefined;
  }

  /** Values in the order of their keys; within `namespace` only when one is given, and after `afterKey`. */
  *scan({
    namespace,
    afterKey = '',
  }: {
    namespace?: string | undefined;
    afterKey?: string | undefined;
  } = {}): Generator<Stored> {
    this.#sorted ??= [...this.#items.keys()].sort();
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    const from = afterKey > prefix ? afterKey : prefix;
    for (let index = firstAtLeast(this.#sorted, from); index < this.#sorted.length; index++) {
      const key = this.#sorted[index] ?? '';
      if (!key.startsWith(prefix)) return;
      const stored = key === afterKey ? undefined : this.#items.get(key);
      if (stored) yield stored;
    }
  }
}

function firstAtLeast(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
