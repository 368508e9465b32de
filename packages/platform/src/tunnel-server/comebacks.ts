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
  /** Whose right was taken away: as many as people revoke while this process runs. */
  readonly #revoked = new Set<string>();
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  lost(runtimeIds: readonly string[]): void {
    for (const id of runtimeIds) this.#lostMs.set(id, this.#clock.monotonic());
  }

  /** Nobody waits for it, until it is here again under a new right. */
  revoked(runtimeId: string): void {
    this.#revoked.add(runtimeId);
    this.#tell(runtimeId, undefined);
  }

  back(session: TunnelSession): void {
    this.#revoked.delete(session.runtimeId);
    this.#lostMs.delete(session.runtimeId);
    this.#tell(session.runtimeId, session);
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

  #tell(runtimeId: string, session: TunnelSession | undefined): void {
    for (const settle of [...(this.#waiting.get(runtimeId) ?? [])]) settle(session);
  }

  #isExpected(runtimeId: string): boolean {
    if (this.#revoked.has(runtimeId)) return false;
    const lostMs = this.#lostMs.get(runtimeId);
    return lostMs !== undefined && this.#clock.monotonic() - lostMs < expectedWithinMs;
  }
}
