// A line that was cut is back within seconds, mostly: a call meanwhile waits for it instead of failing. Only where a
// comeback is likely, that is for a little while after the line was lost; that a runtime is away for longer is told at once.
import type { Clock } from '@fairlead/base';
import type { TunnelSession } from '@fairlead/tunnel';

/** How long a lost line is expected back, and how long one call waits for it at most. */
const expectedWithinMs = 15_000;
const waitAtMostMs = 5_000;

type Waiting = (session: TunnelSession | undefined) => void;

export class Comebacks {
  readonly #clock: Clock;
  /** By runtime; what is not expected any more is dropped by `forgetOld`. */
  readonly #lostMs = new Map<string, number>();
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  lost(runtimeIds: readonly string[]): void {
    for (const id of runtimeIds) this.#lostMs.set(id, this.#clock.monotonic());
  }

  back(session: TunnelSession): void {
    this.#lostMs.delete(session.runtimeId);
    for (const settle of [...(this.#waiting.get(session.runtimeId) ?? [])]) settle(session);
  }

  forgetOld(): void {
    for (const id of this.#lostMs.keys()) if (!this.#isExpected(id)) this.#lostMs.delete(id);
  }

  /** undefined when it is not expected back, or did not come. */
  async wait(runtimeId: string, signal: AbortSignal): Promise<TunnelSession | undefined> {
    if (!this.#isExpected(runtimeId) || signal.aborted) return undefined;
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(runtimeId) ?? new Set();
      this.#waiting.set(runtimeId, waiting);
      const settle: Waiting = (session) => {
        cancel();
        signal.removeEventListener('abort', giveUp);
        waiting.delete(settle);
        if (waiting.size === 0) this.#waiting.delete(runtimeId);
        resolve(session);
      };
      const giveUp = () => settle(undefined);
      const cancel = this.#clock.after(waitAtMostMs, giveUp);
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(settle);
    });
  }

  #isExpected(runtimeId: string): boolean {
    const lostMs = this.#lostMs.get(runtimeId);
    return lostMs !== undefined && this.#clock.monotonic() - lostMs < expectedWithinMs;
  }
}
