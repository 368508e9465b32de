// A push to a repository of many applications moves the revision of all of them, and the manifests of few. Those few are
// written at once; of the others, which learn of it by a poll, only so many a second, for each such write costs the API
// server as much as one that matters, and hardly any while a push is worked off: what it moves goes first. Who gets no turn keeps
// the older revision and asks again with its next poll, by which time another push may have made two writes one. No look
// waits for a turn.
import type { Clock } from '@fairlead/base';

interface RevisionWritesOptions {
  readonly clock: Clock;
  /** How many applications there are. */
  readonly applications: () => number;
}

/** So that few applications never notice: 150 are polled once a second together. */
const burst = 5;
const leastPerSecond = 1;
/** However many there are, all of them have had their turn in about this time, once pushes have ceased. */
const allWithinSeconds = 900;
/** After a push what it moves is applied; short, so that revisions follow also where pushes never cease. */
const unrestMs = 3_000;
const shareInUnrest = 0.1;

export class RevisionWrites {
  readonly #options: RevisionWritesOptions;
  #turns = burst;
  #countedMs: number;
  #restsFromMs = 0;

  constructor(options: RevisionWritesOptions) {
    this.#options = options;
    this.#countedMs = options.clock.monotonic();
  }

  /** A push was told of. */
  pushed(): void {
    this.#restsFromMs = this.#options.clock.monotonic() + unrestMs;
  }

  /** Whether it may be now; then the turn is taken. */
  take(): boolean {
    const { clock, applications } = this.#options;
    const nowMs = clock.monotonic();
    const isResting = nowMs >= this.#restsFromMs;
    const atRest = Math.max(leastPerSecond, applications() / allWithinSeconds);
    const perSecond = isResting ? atRest : atRest * shareInUnrest;
    const most = isResting ? Math.max(burst, 2 * atRest) : 1;
    this.#turns = Math.min(most, this.#turns + ((nowMs - this.#countedMs) / 1000) * perSecond);
    this.#countedMs = nowMs;
    if (this.#turns < 1) return false;
    this.#turns--;
    return true;
  }
}
