// A connection of its own that waits for NOTIFY, and comes back by itself. A wake-up may be lost while it is away, so
// it also calls after each reconnect: whoever listens reads the table, never the notification.
import { backoffDelay, type Clock, errorMessage, type Logger, sleep, systemClock } from '@fairlead/base';
import pg from 'pg';
import { changesChannel } from './changes.ts';

interface ListenerOptions {
  readonly url: string;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly onWake: () => void;
}

const keepAliveEveryMs = 10_000;

export class ChangeListener {
  readonly #options: ListenerOptions;
  #reconnects = 0;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  get reconnects(): number {
    return this.#reconnects;
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { log, clock = systemClock } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt++) {
      const startedMs = clock.monotonic();
      try {
        await this.#listenOnce(signal);
      } catch (error) {
        if (attempt === 0) log.warn({ error: errorMessage(error) }, 'change listener lost its connection');
      }
      if (clock.monotonic() - startedMs > 5_000) attempt = 0;
      this.#reconnects++;
      const delayMs = backoffDelay(attempt, { baseMs: 50, maxMs: 2_000 });
      await sleep(delayMs, { signal, clock }).catch(() => undefined); // the loop condition sees the abort
    }
  }

  async #listenOnce(signal: AbortSignal): Promise<void> {
    const { url, onWake, clock = systemClock } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 2_000,
      query_timeout: 3_000,
      keepAlive: true,
      application_name: 'fairlead-listener',
    });
    let onAbort: () => void = () => undefined;
    const lost = new Promise<never>((_, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('Connection terminated')));
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    lost.catch(() => undefined); // raced below; after the race nobody else waits for it
    try {
      await Promise.race([client.connect(), lost]);
      client.on('notification', onWake);
      await client.query(`listen ${changesChannel}`);
      onWake();
      // A query now and then finds a half-open line, on which no notification would ever come.
      for (;;) {
        await Promise.race([sleep(keepAliveEveryMs, { signal, clock }), lost]);
        await client.query('select 1');
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      await client.end().catch(() => undefined); // it is lost or no longer wanted
    }
  }
}
