import type { Clock } from '@fairlead/base';

interface Run {
  readonly promise: Promise<unknown>;
  readonly startedMs: number;
}

/**
 * Work that several callers ask for by the same key. A run that began before a caller's question may have been too
 * early to see its news; such a caller is given the next run, which all like it share.
 */
export class SharedWork {
  readonly #clock: Clock;
  readonly #running = new Map<string, Run>();
  readonly #next = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The run under way, if any, whatever it ends in. */
  async join(key: string): Promise<void> {
    await this.#running.get(key)?.promise.catch(() => undefined); // who began it hears of its failure
  }

  /** `asOfMs` (monotonic): a run that began at this time or later answers the question. */
  run<T>(key: string, asOfMs: number, work: (startedMs: number) => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (!running) return this.#start(key, work);
    if (running.startedMs >= asOfMs) return running.promise as Promise<T>; // one key has one kind of work
    const waiting = this.#next.get(key) as Promise<T> | undefined; // as above
    if (waiting) return waiting;
    const next = this.join(key).then(() => {
      this.#next.delete(key);
      return this.#start(key, work);
    });
    this.#next.set(key, next);
    return next;
  }

  #start<T>(key: string, work: (startedMs: number) => Promise<T>): Promise<T> {
    const startedMs = this.#clock.monotonic();
    const promise = work(startedMs).finally(() => this.#running.delete(key));
    this.#running.set(key, { promise, startedMs });
    return promise;
  }
}
