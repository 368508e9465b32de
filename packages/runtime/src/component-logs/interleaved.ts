// Several sources as one, in the order in which their values come. Holds one value a source: whoever is ahead waits until
// its value is taken. Sources may be added while it is read.

interface Offer<T> {
  readonly value: T;
  readonly taken: () => void;
}

export class Interleaved<T> {
  readonly #offers: Offer<T>[] = [];
  #wake: () => void = () => undefined;
  #isClosed = false;

  /** Resolves when the source has ended or nobody reads any more; rejects as the source does. */
  async add(source: AsyncIterable<T>): Promise<void> {
    for await (const value of source) {
      if (this.#isClosed) return;
      await new Promise<void>((taken) => {
        this.#offers.push({ value, taken });
        this.#wake();
      });
    }
  }

  /** Until the signal; to be read once. */
  async *values({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<T, void, undefined> {
    const onAbort = () => this.#wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        const offer = this.#offers.shift();
        if (!offer) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          continue;
        }
        try {
          yield offer.value;
        } finally {
          offer.taken();
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#isClosed = true;
      for (const { taken } of this.#offers.splice(0)) taken();
    }
  }
}
