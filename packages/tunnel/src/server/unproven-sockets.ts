// Counts sockets that have not proved who they are, by address, so that strangers cannot crowd out runtimes.
import { limits } from '../wire/index.ts';

export class UnprovenSockets {
  readonly #bySource = new Map<string, number>();
  #all = 0;

  /** Gives what to call, once or more, when the socket is proven or gone; undefined when there are too many. */
  add(source: string): (() => void) | undefined {
    const count = this.#bySource.get(source) ?? 0;
    if (count >= limits.maxUnprovenPerSource || this.#all >= limits.maxUnproven) return undefined;
    this.#bySource.set(source, count + 1);
    this.#all++;
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      this.#all--;
      const left = (this.#bySource.get(source) ?? 1) - 1;
      if (left > 0) this.#bySource.set(source, left);
      else this.#bySource.delete(source);
    };
  }
}
