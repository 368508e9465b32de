// One piece of work for all who ask the same at the same time. It ends when it is done, or when the last of them has
// left; who leaves early takes nothing from the others. At the bound new work is refused, not queued.
import { abortable, FairleadError } from '@fairlead/base';

interface Running {
  readonly promise: Promise<unknown>;
  readonly leaving: AbortController;
  askers: number;
}

export class SharedAsks {
  readonly #running = new Map<string, Running>();
  readonly #max: number;
  #shared = 0;
  #refused = 0;

  constructor({ max }: { readonly max: number }) {
    this.#max = max;
  }

  get counts(): { running: number; shared: number; refused: number } {
    return { running: this.#running.size, shared: this.#shared, refused: this.#refused };
  }

  /** One key has one kind of work. */
  async run<T>(
    key: string,
    work: (signal: AbortSignal) => Promise<T>,
    { signal }: { signal: AbortSignal },
  ): Promise<T> {
    signal.throwIfAborted();
    const running = this.#join(key) ?? this.#start(key, work);
    try {
      return await abortable(running.promise as Promise<T>, signal); // as above
    } finally {
      if (--running.askers === 0) running.leaving.abort();
    }
  }

  #join(key: string): Running | undefined {
    const running = this.#running.get(key);
    if (!running || running.leaving.signal.aborted) return undefined;
    this.#shared++;
    running.askers++;
    return running;
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<unknown>): Running {
    if (this.#running.size >= this.#max) {
      this.#refused++;
      throw new FairleadError('unavailable', `the source server works on ${this.#max} questions already; try again`);
    }
    const leaving = new AbortController();
    const promise = work(leaving.signal).finally(() => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    });
    const running: Running = { promise, leaving, askers: 1 };
    this.#running.set(key, running);
    return running;
  }
}
