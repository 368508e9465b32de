// Sockets that have not proved who they are: so many of one address and in all are worked on at a time, some more wait for
// their turn, the rest is refused. A thousand runtimes behind one address come in one after the other instead of being sent
// away together; strangers hold a bounded number of sockets and cannot crowd out other addresses, whose turns alternate
// with theirs. Whoever waits has cost nothing yet but the socket: the upgrade is not answered, nothing is read.
import { type Clock, systemClock } from '@fairlead/base';
import { limits } from '../wire/index.ts';

interface Door {
  /** Its turn: `leave` must be called, once or more, when the socket is proven or gone. */
  readonly enter: (leave: () => void) => void;
  /** There are too many, or its turn did not come in time. */
  readonly refuse: () => void;
}

interface Waiting extends Door {
  readonly cancel: () => void;
}

export class UnprovenSockets {
  readonly #clock: Clock;
  readonly #bySource = new Map<string, number>();
  /** By address; the address whose turn is next comes first. */
  readonly #lines = new Map<string, Waiting[]>();
  #underWay = 0;
  #waiting = 0;
  #refused = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Now, and of `refused` since the start. */
  get counts(): { readonly underWay: number; readonly waiting: number; readonly refused: number } {
    return { underWay: this.#underWay, waiting: this.#waiting, refused: this.#refused };
  }

  /** Gives what to call when a socket that may still wait is gone. */
  add(source: string, door: Door): () => void {
    if (this.#hasRoom(source)) {
      this.#enter(source, door);
      return () => undefined;
    }
    const line = this.#lines.get(source) ?? [];
    if (line.length >= limits.maxWaitingPerSource || !this.#makePlace(line.length)) {
      this.#refused++;
      door.refuse();
      return () => undefined;
    }
    const cancel = this.#clock.after(limits.waitingMs, () => this.#turnAway(source, waiting));
    const waiting: Waiting = { ...door, cancel };
    this.#lines.set(source, [...line, waiting]);
    this.#waiting++;
    return () => void this.#takeOut(source, waiting);
  }

  #hasRoom(source: string): boolean {
    return (this.#bySource.get(source) ?? 0) < limits.maxUnprovenPerSource && this.#underWay < limits.maxUnproven;
  }

  #enter(source: string, { enter }: Door): void {
    this.#bySource.set(source, (this.#bySource.get(source) ?? 0) + 1);
    this.#underWay++;
    let isCounted = true;
    enter(() => {
      if (!isCounted) return;
      isCounted = false;
      this.#underWay--;
      const left = (this.#bySource.get(source) ?? 1) - 1;
      if (left > 0) this.#bySource.set(source, left);
      else this.#bySource.delete(source);
      this.#next();
    });
  }

  /** The first of the next address that has room; the address then waits for the others. */
  #next(): void {
    for (const [source, line] of this.#lines) {
      const [first] = line;
      if (!first || !this.#hasRoom(source)) continue;
      this.#takeOut(source, first);
      const rest = this.#lines.get(source);
      if (rest) {
        this.#lines.delete(source);
        this.#lines.set(source, rest);
      }
      this.#enter(source, first);
      return;
    }
  }

  /** When all places are taken the longest line gives one up, its newest; false when that would be the newcomer's. */
  #makePlace(ownLength: number): boolean {
    if (this.#waiting < limits.maxWaiting) return true;
    const [source, line] = [...this.#lines].reduce((most, each) => (each[1].length > most[1].length ? each : most));
    const newest = line.at(-1);
    if (!newest || line.length <= ownLength + 1) return false;
    this.#turnAway(source, newest);
    return true;
  }

  #turnAway(source: string, waiting: Waiting): void {
    if (!this.#takeOut(source, waiting)) return;
    this.#refused++;
    waiting.refuse();
  }

  #takeOut(source: string, waiting: Waiting): boolean {
    const line = this.#lines.get(source) ?? [];
    if (!line.includes(waiting)) return false;
    waiting.cancel();
    this.#waiting--;
    const rest = line.filter((other) => other !== waiting);
    if (rest.length > 0) this.#lines.set(source, rest);
    else this.#lines.delete(source);
    return true;
  }
}
