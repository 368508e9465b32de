// Guessing passwords: after five wrong ones within five minutes an account's password is not looked at any more until the
// last of them is that old. At the bound the account that failed longest ago is forgotten.
import type { Clock } from '@fairlead/base';

const maxFailures = 5;
const windowMs = 300_000;
const maxAccounts = 1000;

export class SignInAttempts {
  readonly #clock: Clock;
  readonly #failures = new Map<string, { readonly count: number; readonly lastMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isBlocked(name: string): boolean {
    const known = this.#failures.get(name);
    return known !== undefined && known.count >= maxFailures && this.#clock.monotonic() - known.lastMs < windowMs;
  }

  failed(name: string): void {
    const nowMs = this.#clock.monotonic();
    const known = this.#failures.get(name);
    const isRecent = known !== undefined && nowMs - known.lastMs < windowMs;
    this.#failures.delete(name);
    this.#failures.set(name, { count: isRecent ? known.count + 1 : 1, lastMs: nowMs });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > maxAccounts && oldest !== undefined) this.#failures.delete(oldest);
  }

  succeeded(name: string): void {
    this.#failures.delete(name);
  }
}
