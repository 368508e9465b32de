/** Least-recently-used cache with a bound on the sum of sizes; what does not fit is simply not kept. */
export class BoundedCache<K, V> {
  readonly #maxSize: number;
  readonly #entries = new Map<K, { value: V; size: number }>();
  #size = 0;
  evictions = 0;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get size(): number {
    return this.#size;
  }

  get count(): number {
    return this.#entries.size;
  }

  values(): readonly V[] {
    return [...this.#entries.values()].map(({ value }) => value);
  }

  /** It is the last to go now. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, size = 1): void {
    this.delete(key);
    if (size > this.#maxSize) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.delete(oldest);
      this.evictions++;
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
