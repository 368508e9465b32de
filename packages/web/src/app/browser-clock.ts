import type { PageClock } from '../live/index.ts';

/** The browser's clock, moved to the server's time by what the live feed's pings say. */
export class BrowserClock implements PageClock {
  #offsetMs = 0;

  now = (): number => Date.now() + this.#offsetMs;

  after = (ms: number, callback: () => void): (() => void) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  };

  /** A jump of less than a second is network delay, not a wrong clock. */
  setServerTime(at: string): void {
    const offsetMs = Date.parse(at) - Date.now();
    if (Number.isFinite(offsetMs) && Math.abs(offsetMs - this.#offsetMs) > 1000) this.#offsetMs = offsetMs;
  }
}
