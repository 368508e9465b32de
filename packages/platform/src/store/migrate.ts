import { type Clock, errorMessage, type Logger, RetryableError, retry, TerminalError } from '@fairlead/base';
import { type Kysely, Migrator } from 'kysely';
import { isStoreUnavailable } from './errors.ts';
import { migrations } from './migrations/index.ts';
import type { Database } from './schema.ts';

interface MigrateOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** Brings the tables up to date; waits for a database that is not there yet. Several platforms may start at once. */
export async function migrate(db: Kysely<Database>, { log, signal, clock }: MigrateOptions): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } });
  const run = async () => {
    const { error, results } = await migrator.migrateToLatest();
    for (const { migrationName, status } of results ?? []) {
      if (status === 'Success') log.info({ migration: migrationName }, 'migration done');
    }
    if (error === undefined) return;
    if (isStoreUnavailable(error)) throw new RetryableError('store_unavailable', errorMessage(error), { cause: error });
    throw new TerminalError('migration_failed', `the database could not be migrated: ${errorMessage(error)}`, {
      cause: error,
    });
  };
  await retry(run, {
    attempts: Number.POSITIVE_INFINITY,
    baseMs: 100,
    maxMs: 5_000,
    signal,
    ...(clock ? { clock } : {}),
    isRetryable: (error) => error instanceof RetryableError,
    onRetry: (error, attempt) => {
      if (attempt === 0) log.warn({ error: errorMessage(error) }, 'waiting for the database');
    },
  });
}
