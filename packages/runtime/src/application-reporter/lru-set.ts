/** Remembers the last `capacity` values; older ones are forgotten. */
export class LruSet<T> {
  readonly #values = new Set<T>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(value: T): void {
    this.#values.delete(value);
    this.#values.add(value);
    if (this.#values.size <= this.#capacity) return;
    const [oldest] = this.#values;
    this.#values.delete(oldest as T); // the set is not empty
  }

  has(value: T): boolean {
    return this.#values.has(value);
  }

  delete(value: T): void {
    this.#values.delete(value);
  }
}
