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
  #joined: { readonly lines: readonly Buffer[]; readonly buffer: Buffer } = { lines: [], buffer: Buffer.alloc(0) };
  /** Watches cut because their reader was too slow. */
  cutCount = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The lines as one buffer. Watches of the same objects send the same lines one after another: joined once. */
  joined(lines: readonly Buffer[]): Buffer {
    if (lines.length === 1 && lines[0]) return lines[0];
    const { lines: known, buffer } = this.#joined;
    if (known.length === lines.length && known.every((line, index) => line === lines[index])) return buffer;
    this.#joined = { lines, buffer: Buffer.concat(lines) };
    return this.#joined.buffer;
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
