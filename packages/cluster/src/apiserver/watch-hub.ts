// All open watches: they share encoded events, get a bookmark a minute, and one that reads too slowly is cut rather than
// buffered without bound (its client resumes from its last version).
import type { Clock } from '@fairlead/base';

export interface OpenWatch {
  readonly sendBookmark: () => void;
  readonly end: () => void;
}

const bookmarkEveryMs = 60_000;

export class WatchHub {
  readonly #clock: Clock;
  readonly #open = new Set<OpenWatch>();
  #cancelTimer: (() => void) | undefined;
  /** Watches cut because their reader was too slow. */
  cutCount = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#open.size;
  }

  add(watch: OpenWatch): void {
    this.#open.add(watch);
    // With no watch open there is no timer: an idle cluster sleeps.
    this.#cancelTimer ??= this.#clock.after(bookmarkEveryMs, () => this.#tick());
  }

  remove(watch: OpenWatch): void {
    this.#open.delete(watch);
    if (this.#open.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  endAll(): void {
    for (const watch of [...this.#open]) watch.end();
  }

  #tick(): void {
    for (const watch of this.#open) watch.sendBookmark();
    this.#cancelTimer = this.#clock.after(bookmarkEveryMs, () => this.#tick());
  }
}
