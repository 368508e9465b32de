// How often something may be tried: a bucket of attempts per name that fills again with time. Bound: `maxNames` names;
// beyond, the one that has waited longest is forgotten.
import { type Clock, FairleadError } from '@fairlead/base';

interface AttemptOptions {
  readonly clock: Clock;
  readonly burst: number;
  readonly perMinute: number;
}

class TooManyAttemptsError extends FairleadError {
  constructor(waitSeconds: number) {
    super('too_many_requests', `too many attempts; try again in ${waitSeconds} s`, {
      details: { retryAfterSeconds: waitSeconds },
    });
  }
}

const maxNames = 10_000;

export class Attempts {
  readonly #options: AttemptOptions;
  readonly #buckets = new Map<string, { readonly left: number; readonly atMs: number }>();

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  /** Throws when the name has none left. */
  take(name: string): void {
    const { clock, burst, perMinute } = this.#options;
    const nowMs = clock.monotonic();
    const known = this.#buckets.get(name) ?? { left: burst, atMs: nowMs };
    const left = Math.min(burst, known.left + ((nowMs - known.atMs) / 60_000) * perMinute);
    if (left < 1) throw new TooManyAttemptsError(Math.ceil(((1 - left) / perMinute) * 60));
    this.#buckets.delete(name);
    this.#buckets.set(name, { left: left - 1, atMs: nowMs });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > maxNames && oldest !== undefined) this.#buckets.delete(oldest);
  }
}
