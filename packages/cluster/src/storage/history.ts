// The last changes of one resource, for watches that resume. Bounded: what falls out makes older watches "gone".
import type { StoreEvent } from './store.ts';

export class History {
  readonly #limit: number;
  #events: StoreEvent[] = [];
  /** Changes up to this revision are no longer here. */
  #compactedTo: number;

  constructor(limit: number, compactedTo: number) {
    this.#limit = limit;
    this.#compactedTo = compactedTo;
  }

  add(event: StoreEvent): void {
    this.#events.push(event);
    // Cut in blocks: one splice per block instead of one shift per event.
    if (this.#events.length <= this.#limit * 1.25) return;
    const cut = this.#events.splice(0, this.#events.length - this.#limit);
    this.#compactedTo = cut.at(-1)?.revision ?? this.#compactedTo;
  }

  /** Changes after `revision`, or undefined when some of them are gone. */
  after(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.#compactedTo) return undefined;
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }

  get size(): number {
    return this.#events.length;
  }
}
