// A level-based loop inside the process: keys come in, each is reconciled from the present state, never twice at a time.
// A key that comes in while it is worked on is worked on again. Failures come back with back-off. With nothing to do
// nothing runs: no timers, no polling.
import { backoffDelay, type Clock, errorMessage, type Logger } from '@fairlead/base';
import { StatusError } from '../objects/index.ts';

/** Nothing, or when to look again although nothing has changed. */
export type LoopResult = { readonly againAfterMs: number } | undefined;

export interface KeyLoopOptions {
  readonly name: string;
  readonly reconcile: (key: string) => Promise<LoopResult> | Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly concurrency?: number;
}

export class KeyLoop {
  readonly #options: KeyLoopOptions;
  readonly #waiting = new Set<string>();
  readonly #active = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  readonly #timers = new Map<string, { atMs: number; cancel: () => void }>();
  readonly #failures = new Map<string, number>();
  #stopped: boolean = false;

  constructor(options: KeyLoopOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#stopped) return;
    if (this.#active.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#start();
  }

  /** Of several waits for one key the earliest counts. */
  addAfter(key: string, ms: number): void {
    if (this.#stopped) return;
    const { clock } = this.#options;
    const atMs = clock.monotonic() + ms;
    const present = this.#timers.get(key);
    if (present && present.atMs <= atMs) return;
    present?.cancel();
    const cancel = clock.after(ms, () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, { atMs, cancel });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#waiting.clear();
    await Promise.all(this.#active.values());
  }

  #start(): void {
    const { concurrency = 16 } = this.#options;
    for (const key of this.#waiting) {
      if (this.#active.size >= concurrency) return;
      this.#waiting.delete(key);
      this.#active.set(key, this.#work(key));
    }
  }

  async #work(key: string): Promise<void> {
    // A turn of its own: events that come together are then worked off together.
    await Promise.resolve();
    try {
      const result = await this.#options.reconcile(key);
      this.#failures.delete(key);
      if (result) this.addAfter(key, result.againAfterMs);
    } catch (error) {
      this.#retry(key, error);
    }
    this.#active.delete(key);
    if (this.#again.delete(key) && !this.#stopped) this.#waiting.add(key);
    this.#start();
  }

  #retry(key: string, error: unknown): void {
    const { log, name } = this.#options;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    // Somebody was faster, or the object is gone: looking again is all there is to do.
    const isUsual = error instanceof StatusError && (error.status === 409 || error.status === 404);
    if (isUsual) log.debug({ loop: name, key, error: error.message }, 'will look again');
    else log.warn({ loop: name, key, error: errorMessage(error) }, 'reconcile failed, will retry');
    this.addAfter(key, backoffDelay(failures, { baseMs: 20, maxMs: 30_000 }));
  }
}
