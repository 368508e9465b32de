// The ingest alone, on a real database and without HTTP: for simulations that deliver batches by the hundred thousand.
import { createRegistry, newId, silentLogger } from '@fairlead/base';
import type { DigestAnswer, ReportBatch, ReportDigest, ReportReceipt } from '@fairlead/contracts';
import { migrate, openStore, type RuntimeRecord, runtimeById, type Store } from '../store/index.ts';
import { compareDigest } from './digest.ts';
import { IngestMetrics, ingestBatch } from './ingest-batch.ts';

/** What the platform knows of one application. */
export interface StoredApplication {
  readonly key: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly deleted: boolean;
  readonly payload: unknown;
}

export interface StoredDeployment {
  readonly key: string;
  readonly uid: string;
  readonly startedAt: string;
  readonly phase: string;
}

export interface TestIngest {
  addRuntime(): Promise<RuntimeRecord>;
  /** `diesBeforeCommit`: everything is written, then the process is gone. */
  ingest(runtime: RuntimeRecord, batch: ReportBatch, options?: { diesBeforeCommit?: boolean }): Promise<ReportReceipt>;
  digest(runtime: RuntimeRecord, digest: ReportDigest): Promise<DigestAnswer>;
  applications(runtime: RuntimeRecord): Promise<StoredApplication[]>;
  deployments(runtime: RuntimeRecord): Promise<StoredDeployment[]>;
  stop(): Promise<void>;
}

export class DiedBeforeCommit extends Error {
  override readonly name = 'DiedBeforeCommit';
}

/** On an empty database. */
export async function openTestIngest(databaseUrl: string): Promise<TestIngest> {
  const store = openStore({ url: databaseUrl, log: silentLogger });
  await migrate(store.db, { log: silentLogger, signal: new AbortController().signal });
  const deps = { log: silentLogger, metrics: new IngestMetrics(createRegistry('test')) };
  const accountId = newId('acc');
  await store.db
    .insertInto('accounts')
    .values({ id: accountId, name: 'simulated', created_at: new Date(0) })
    .execute();
  const dying: Store = Object.create(store, {
    transaction: {
      value: (work: Parameters<Store['transaction']>[0]) =>
        store.transaction(async (trx) => {
          await work(trx);
          throw new DiedBeforeCommit();
        }),
    },
  });
  return {
    async addRuntime() {
      const id = newId('rt');
      const values = { id, account_id: accountId, name: id, kind: 'hybrid' as const, connected: false };
      await store.db
        .insertInto('runtimes')
        .values({ ...values, created_at: new Date(0) })
        .execute();
      const added = await runtimeById(store.db, id);
      if (!added) throw new Error('the runtime was not added');
      return added;
    },
    ingest: (runtime, batch, { diesBeforeCommit = false } = {}) =>
      ingestBatch({ ...deps, store: diesBeforeCommit ? dying : store }, { runtime, batch }),
    digest: (runtime, digest) => compareDigest(store, { runtime, digest }),
    applications: ({ id }) =>
      store.db
        .selectFrom('reported_objects')
        .select(['key', 'epoch', 'sequence', 'deleted', 'payload'])
        .where('runtime_id', '=', id)
        .where('kind', '=', 'application')
        .execute(),
    deployments: ({ id }) =>
      store.db
        .selectFrom('deployments')
        .select(['key', 'uid', 'started_at as startedAt', 'phase'])
        .where('runtime_id', '=', id)
        .execute(),
    stop: () => store.close(),
  };
}
