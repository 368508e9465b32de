// The one store of the platform: a bounded pool on PostgreSQL. When the database dies the process lives on, every query
// fails with an error that `isStoreUnavailable` knows, and the first query after its return works again.
// What waits for a database that has fallen silent fails with it, as soon as it is taken for gone: its connections are cut.
// `isUp` is a probe's opinion, a second old at most (five when nobody asks anything; health.ts says what counts), so that requests can be refused at once instead of waiting.
import { type Clock, errorMessage, everyInterval, type Logger, systemClock } from '@fairlead/base';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { healthAfter, healthy, outcomeWithin } from './health.ts';
import type { Database } from './schema.ts';

interface StoreOptions {
  readonly url: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Connections at most; one more query waits for a free one, two seconds at most. */
  readonly maxConnections?: number;
}

export type Transaction = Kysely<Database>;

export interface Store {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly url: string;
  readonly isUp: boolean;
  /** Probes the database until aborted. */
  watchHealth(options: { readonly signal: AbortSignal }): Promise<void>;
  /** Grows with every commit here and every change heard of: equal means that what was read still holds. */
  readonly generation: number;
  /** Somebody else wrote. */
  heardChange(): void;
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  stats(): { readonly connections: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

const probeEveryMs = 1_000;
/** While nobody asks anything of the database and no connection was lost. */
const restfulProbeMs = 5_000;
const probeWithinMs = 1_500;
const oids = { int8: 20, timestamptz: 1184 };

/** Like pg's own, but times become ISO text and bigints numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === oids.int8) return Number;
    if (oid === oids.timestamptz) return isoTime;
    return pg.types.getTypeParser(oid, format ?? 'text');
  },
} as pg.CustomTypesConfig; // pg's own type asks for overloads per format; text is the only one used here

/** `2026-01-02 03:04:05.678901+00` as ISO text of milliseconds; by hand where it can be, since every row has times. */
export function isoTime(text: string): string {
  if (text.length < 22 || text.charCodeAt(4) !== dash || !text.endsWith('+00')) return new Date(text).toISOString();
  const fraction = text.slice(20, Math.min(text.length - 3, 23)).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}
const dash = 0x2d;

export function openStore({ url, log, clock = systemClock, maxConnections = 16 }: StoreOptions): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    query_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    application_name: 'fairlead-platform',
    types,
  });
  // A lost connection is an event of the pool while it is idle, and of the client while it is in use (between two
  // statements of a transaction); either one, unheard, would end the process. Queries under way fail by themselves.
  let isDoubtful = false;
  let acquired = 0;
  let acquiredAtProbe = 0;
  const inUse = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => {
    acquired++;
    inUse.add(client);
  });
  let probedAtMs = Number.NEGATIVE_INFINITY;
  const onLost = (error: Error) => {
    isDoubtful = true;
    log.warn({ error: errorMessage(error) }, 'database connection lost');
  };
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  let health = healthy;
  let generation = 0;
  let lastReleaseMs = Number.NEGATIVE_INFINITY;
  pool.on('release', (_, client) => {
    inUse.delete(client);
    lastReleaseMs = clock.monotonic();
  });

  const cut = () => {
    // Of one with a query under way the socket is destroyed; others say goodbye and take no further query.
    for (const client of inUse) (client as unknown as pg.Client).end().catch(onLost); // a client of the pool is one
  };
  const probe = async () => {
    const isResting = health.isUp && !isDoubtful && acquired === acquiredAtProbe;
    if (isResting && clock.monotonic() - probedAtMs < restfulProbeMs) return;
    do await ask();
    while (health.wasSilent && health.isUp); // the second question follows the first at once
  };
  const ask = async () => {
    probedAtMs = clock.monotonic();
    // A probe that only waits in line behind others' work says nothing against the database.
    const isBusy = () => clock.monotonic() - lastReleaseMs < probeWithinMs;
    const outcome = await outcomeWithin(probeWithinMs, clock, sql`select 1`.execute(db));
    const before = health;
    health = healthAfter(before, isBusy() ? 'answered' : outcome);
    isDoubtful = health !== healthy;
    acquiredAtProbe = acquired;
    if (health.isUp === before.isUp) return;
    if (!health.isUp) cut();
    log[health.isUp ? 'info' : 'error']({}, health.isUp ? 'database is back' : 'database does not answer');
  };

  return {
    db,
    clock,
    url,
    get isUp() {
      return health.isUp;
    },
    watchHealth: ({ signal }) => everyInterval(probeEveryMs, probe, { signal, clock }),
    get generation() {
      return generation;
    },
    heardChange: () => void generation++,
    async transaction(work) {
      try {
        return await db.transaction().execute(work);
      } finally {
        generation++; // also after a failure: the line may have been lost after the commit
      }
    },
    stats: () => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  };
}
