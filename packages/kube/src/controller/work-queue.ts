// A queue of keys, not of events: a key that is waiting is not added twice, and a key that is being worked on is worked
// on again afterwards. So no change is lost, no two workers hold one key, and the queue is bounded by the number of keys.
import { backoffDelay, type Clock, type Random, systemClock } from '@fairlead/base';

export interface WorkQueueOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Delay after the first failure of a key; doubles up to `maxDelayMs`. Defaults 100 ms and 60 s. */
  readonly baseDelayMs?: number;
  readonly maxDelayMs?: number;
}

export interface WorkQueueStats {
  readonly depth: number;
  readonly delayed: number;
  readonly active: number;
  readonly added: number;
  readonly retries: number;
  /** How long the oldest waiting key has waited. */
  readonly oldestMs: number;
}

/** Timers count in 31 bits; a key that comes too early does no harm. */
const longestWaitMs = 2 ** 31 - 1;

export class WorkQueue {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;
  /** Waiting keys in order, with the time they came in. */
  readonly #ready = new Map<string, number>();
  readonly #active = new Set<string>();
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { atMs: number; cancel: () => void }>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #added = 0;
  #retries = 0;
  #closed: boolean = false;

  constructor(options: WorkQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#baseDelayMs = options.baseDelayMs ?? 100;
    this.#maxDelayMs = options.maxDelayMs ?? 60_000;
  }

  add(key: string): void {
    if (this.#closed) return;
    this.#added++;
    if (this.#active.has(key)) {
      this.#again.add(key);
      return;
    }
    if (this.#ready.has(key)) return;
    const taker = this.#takers.shift();
    if (taker) {
      this.#active.add(key);
      taker(key);
    } else this.#ready.set(key, this.#clock.monotonic());
  }

  /** Adds after `ms` (Infinity: never), or after `longestWaitMs`; of several waits for one key the earliest counts. */
  addAfter(key: string, ms: number): void {
    if (this.#closed || ms === Number.POSITIVE_INFINITY) return;
    if (ms <= 0) {
      this.add(key);
      return;
    }
    const atMs = this.#clock.monotonic() + ms;
    const waiting = this.#delayed.get(key);
    if (waiting && waiting.atMs <= atMs) return;
    waiting?.cancel();
    const cancel = this.#clock.after(Math.min(ms, longestWaitMs), () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { atMs, cancel });
  }

  /** Adds after a delay that grows with each failure since the last `forget`. Returns the delay. */
  addFailed(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#retries++;
    const delayMs = backoffDelay(failures, {
      baseMs: this.#baseDelayMs,
      maxMs: this.#maxDelayMs,
      random: this.#random,
    });
    this.addAfter(key, delayMs);
    return delayMs;
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The key succeeded (or is given up): its next failure starts from the base delay. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The next key, or undefined once the queue is closed. The taker owes a `done(key)`. */
  take(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const [next] = this.#ready.keys();
    if (next === undefined) return new Promise((resolve) => this.#takers.push(resolve));
    this.#ready.delete(next);
    this.#active.add(next);
    return Promise.resolve(next);
  }

  done(key: string): void {
    this.#active.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Lets go of everything that waits; takers get undefined. */
  close(): void {
    this.#closed = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#ready.clear();
    this.#again.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  stats(): WorkQueueStats {
    const [oldest] = this.#ready.values();
    return {
      depth: this.#ready.size,
      delayed: this.#delayed.size,
      active: this.#active.size,
      added: this.#added,
      retries: this.#retries,
      oldestMs: oldest === undefined ? 0 : this.#clock.monotonic() - oldest,
    };
  }
}
