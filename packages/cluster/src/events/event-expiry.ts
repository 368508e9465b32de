// Events are kept for an hour, and never more than a bound: they tell of the present, and must not fill the disk.
import { type Clock, errorMessage, type Logger } from '@fairlead/base';
import type { Objects } from '../objects/index.ts';
import type { Stored } from '../storage/index.ts';

const keepMs = 60 * 60 * 1000;
const maxEvents = 10_000;

interface Kept {
  readonly uid: string;
  readonly expiresMs: number;
}

export class EventExpiry {
  readonly #objects: Objects;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #kept: Kept[] = [];
  readonly #unsubscribe: () => void;
  #cancelTimer: (() => void) | undefined;
  #sweeping: Promise<void> | undefined;

  constructor({ objects, clock, log }: { objects: Objects; clock: Clock; log: Logger }) {
    this.#objects = objects;
    this.#clock = clock;
    this.#log = log;
    for (const stored of objects.store.collection('events').scan()) this.#keep(stored);
    this.#kept.sort((a, b) => a.expiresMs - b.expiresMs);
    this.#unsubscribe = objects.store.subscribe('events', ({ type, stored }) => {
      if (type === 'ADDED') this.#keep(stored);
    });
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#cancelTimer?.();
    await this.#sweeping;
  }

  #keep({ object: { metadata } }: Stored): void {
    this.#kept.push({ uid: metadata.uid ?? '', expiresMs: Date.parse(metadata.creationTimestamp ?? '') + keepMs });
    if (this.#kept.length > maxEvents) this.#sweep();
    this.#arm();
  }

  #arm(): void {
    const [oldest] = this.#kept;
    if (!oldest || this.#cancelTimer) return;
    // At least a minute apart, so that a burst of events is swept in one go.
    const waitMs = Math.max(60_000, oldest.expiresMs - this.#clock.now());
    this.#cancelTimer = this.#clock.after(waitMs, () => {
      this.#cancelTimer = undefined;
      this.#sweep();
      this.#arm();
    });
  }

  #sweep(): void {
    const nowMs = this.#clock.now();
    const firstLive = this.#kept.findIndex(({ expiresMs }) => expiresMs > nowMs);
    const expired = firstLive < 0 ? this.#kept.length : firstLive;
    const due = this.#kept.splice(0, Math.max(expired, this.#kept.length - maxEvents));
    this.#sweeping = Promise.all(due.map(({ uid }) => this.#remove(uid))).then(() => undefined);
  }

  async #remove(uid: string): Promise<void> {
    const stored = this.#objects.store.byUid(uid);
    const type = this.#objects.registry.findStored('events');
    if (!stored || !type) return;
    const { namespace = '', name } = stored.object.metadata;
    await this.#objects.delete({ type, namespace, name }, {}).catch((error: unknown) => {
      this.#log.debug({ name, error: errorMessage(error) }, 'event not removed');
    });
  }
}
