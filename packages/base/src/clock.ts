// Time is given, never taken: everything that waits or stamps gets a Clock.

export interface Clock {
  /** Wall time in milliseconds since 1970. */
  now(): number;
  /** Milliseconds that never go backwards; only differences mean something. */
  monotonic(): number;
  /** Calls back after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Wall time as Kubernetes writes it: UTC, whole seconds. */
export function toKubeTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** A clock that moves only when told; timers fire in order of their time. */
export class FakeClock implements Clock {
  #nowMs: number;
  #next = 0;
  readonly #timers = new Map<number, { atMs: number; callback: () => void }>();

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  after(ms: number, callback: () => void): () => void {
    const id = this.#next++;
    this.#timers.set(id, { atMs: this.#nowMs + ms, callback });
    return () => void this.#timers.delete(id);
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves time on, firing what falls due, and lets promise callbacks run in between. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, t]) => t.atMs <= endMs).sort(([, a], [, b]) => a.atMs - b.atMs)[0];
      if (!due) break;
      const [id, timer] = due;
      this.#timers.delete(id);
      this.#nowMs = Math.max(this.#nowMs, timer.atMs);
      timer.callback();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#nowMs = endMs;
  }
}
