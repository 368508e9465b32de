// When to look at an application again that says nothing itself: the tree below it changes without the Application
// changing. What moves is looked at soon, what does not less and less often; all looks together are bounded, so that a
// thousand applications that never become healthy leave the queue to those that change.

/** What moves. */
const movingMs = 2_000;
/** What is said to be moving, and does not. */
const stuckMs = 15_000;
const settledMs = 60_000;
/** Looks at what is settled are this far apart at least, whatever their number; and at what is not. */
const settledApartMs = 50;
const unsettledApartMs = 25;

interface Look {
  /** Nothing is under way, and the engine told everything. */
  readonly isSettled: boolean;
  readonly isChanged: boolean;
}

export class LooksAgain {
  /** How often an application that is not settled was found unchanged, one look after another. */
  readonly #unsettled = new Map<string, number>();
  readonly #known: () => number;

  /** `known`: how many applications there are. */
  constructor(known: () => number) {
    this.#known = known;
  }

  /** Milliseconds from a look that found `look` to the next. */
  after(key: string, { isSettled, isChanged }: Look): number {
    if (isSettled) {
      this.#unsettled.delete(key);
      return Math.max(settledMs, this.#known() * settledApartMs);
    }
    const unchanged = isChanged ? 0 : (this.#unsettled.get(key) ?? -1) + 1;
    this.#unsettled.set(key, unchanged);
    return Math.max(Math.min(movingMs * 2 ** unchanged, stuckMs), this.#unsettled.size * unsettledApartMs);
  }

  forget(key: string): void {
    this.#unsettled.delete(key);
  }
}
