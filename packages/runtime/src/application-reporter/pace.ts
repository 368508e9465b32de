// How soon after one look at an application the next may follow. Each look asks the engine for tree and manifests, and an engine
// at work writes a status several times in a moment: a change that finds its application at rest is looked at at once,
// those on its heels together. The more looks there are, the longer they wait: a flood costs the engine and the platform little more
// than a busy hour, and what is shown is behind by the wait at most.
import type { Clock } from '@fairlead/base';

/** Less than the eye notices, more than an engine needs from one step of a sync to the next. */
const leastMs = 100;
const mostMs = 1_500;
/** So much for each look of the last second. */
const perLookMs = 2;
const windowMs = 1_000;

export class Pace {
  readonly #clock: Clock;
  readonly #lookedMs = new Map<string, number>();
  /** Changed, and waiting for their time; they count as queued. */
  readonly #held = new Set<string>();
  #windowStartMs: number;
  #looks = 0;
  #looksBefore = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#windowStartMs = clock.monotonic();
  }

  get held(): number {
    return this.#held.size;
  }

  /** Changed, and its look is to come: a further change has nothing to add. */
  isHeld(key: string): boolean {
    return this.#held.has(key);
  }

  /** Milliseconds that a change of now is to wait; undefined when an earlier one waits already. */
  hold(key: string): number | undefined {
    if (this.#held.has(key)) return undefined;
    const lookedMs = this.#lookedMs.get(key);
    if (lookedMs === undefined) return 0;
    const waitMs = lookedMs + this.#apartMs() - this.#clock.monotonic();
    if (waitMs <= 0) return 0;
    this.#held.add(key);
    return waitMs;
  }

  looked(key: string): void {
    this.#turn();
    this.#looks++;
    this.#held.delete(key);
    this.#lookedMs.set(key, this.#clock.monotonic());
  }

  forget(key: string): void {
    this.#held.delete(key);
    this.#lookedMs.delete(key);
  }

  #apartMs(): number {
    this.#turn();
    const past = (this.#clock.monotonic() - this.#windowStartMs) / windowMs;
    const inLastWindow = this.#looks + this.#looksBefore * (1 - past);
    return Math.min(Math.max(leastMs, inLastWindow * perLookMs), mostMs);
  }

  #turn(): void {
    const windows = Math.floor((this.#clock.monotonic() - this.#windowStartMs) / windowMs);
    if (windows === 0) return;
    this.#looksBefore = windows === 1 ? this.#looks : 0;
    this.#looks = 0;
    this.#windowStartMs += windows * windowMs;
  }
}
