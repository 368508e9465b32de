// Deployments of a batch's applications, in the transaction that stores the batch: the reported object's row is locked
// by then, so that no two batches plan for one application at once.
import { contentHash } from '@fairlead/base';
import type { ApplicationReport } from '@fairlead/contracts';
import { type SqlBool, sql } from 'kysely';
import type { RuntimeRecord, Transaction } from '../store/index.ts';
import { type KnownDeployment, planDeployments, type SeenReport } from './plan.ts';

export interface SeenApplication {
  readonly key: string;
  readonly uid: string;
  /** In the order of their numbers. */
  readonly reports: readonly SeenReport[];
}

/** Equal for two reports that say the same about deployments. */
export function deploymentsHash(report: ApplicationReport): string {
  const { uid, operation, operations = [], history, images, commit, changeCommit } = report;
  const { results: _, ...brief } = operation ?? { results: [] };
  return contentHash([uid, brief, operations, history, images, commit?.revision, changeCommit?.revision]);
}

/** So many of an application's newest are looked at; the engine's history is shorter (ten by default). */
const lookBack = 50;

export interface FailedDeployment {
  readonly key: string;
  readonly startedAt: string;
  readonly finishedAt: string | undefined;
  readonly message: string | undefined;
}

/** Gives those of the written ones that failed. */
export async function recordDeployments(
  trx: Transaction,
  runtime: RuntimeRecord,
  seen: readonly SeenApplication[],
): Promise<FailedDeployment[]> {
  if (seen.length === 0) return [];
  const failed: FailedDeployment[] = [];
  const known = await knownDeployments(trx, runtime.id, seen);
  for (const { key, uid, reports } of seen) {
    const before = known.get(`${key} ${uid}`) ?? [];
    const changed = planDeployments(before, reports).filter((each) => !before.includes(each));
    for (const deployment of changed) {
      await write(trx, { runtime, key, uid }, deployment);
      if (deployment.phase === 'Failed' || deployment.phase === 'Error') failed.push({ key, ...deployment });
    }
  }
  return failed;
}

async function knownDeployments(
  trx: Transaction,
  runtimeId: string,
  seen: readonly SeenApplication[],
): Promise<Map<string, KnownDeployment[]>> {
  const keys = seen.map(({ key }) => key);
  const rows = await trx
    .selectFrom(sql<{ key: string }>`unnest(${keys}::text[])`.as<'asked'>(sql`asked(key)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('deployments')
          .selectAll()
          .where('runtime_id', '=', runtimeId)
          .where(sql<SqlBool>`deployments.key = asked.key`)
          .orderBy('started_at', 'desc')
          .orderBy('id', 'desc')
          .limit(lookBack)
          .as('found'),
      (join) => join.onTrue(),
    )
    .selectAll('found')
    .execute();
  const byApplication = new Map<string, KnownDeployment[]>();
  for (const row of rows) {
    const id = `${row.key} ${row.uid}`;
    byApplication.set(id, [...(byApplication.get(id) ?? []), toKnown(row)]);
  }
  return byApplication;
}

interface StoredDeployment {
  readonly id: number;
  readonly history_id: number | null;
  readonly revision: string;
  readonly commit: KnownDeployment['commit'] | null;
  readonly images_from: string[];
  readonly images_to: string[];
  readonly initiator: string | null;
  readonly automated: boolean;
  readonly phase: KnownDeployment['phase'];
  readonly message: string | null;
  readonly started_at: string;
  readonly finished_at: string | null;
}

const toKnown = (row: StoredDeployment): KnownDeployment => ({
  id: row.id,
  historyId: row.history_id ?? undefined,
  revision: row.revision,
  commit: row.commit ?? undefined,
  imagesFrom: row.images_from,
  imagesTo: row.images_to,
  initiator: row.initiator ?? undefined,
  automated: row.automated,
  phase: row.phase,
  message: row.message ?? undefined,
  startedAt: row.started_at,
  finishedAt: row.finished_at ?? undefined,
});

interface Owner {
  readonly runtime: RuntimeRecord;
  readonly key: string;
  readonly uid: string;
}

async function write(trx: Transaction, { runtime, key, uid }: Owner, deployment: KnownDeployment): Promise<void> {
  const values = {
    history_id: deployment.historyId ?? null,
    revision: deployment.revision,
    commit: deployment.commit ? JSON.stringify(deployment.commit) : null,
    images_from: JSON.stringify(deployment.imagesFrom),
    images_to: JSON.stringify(deployment.imagesTo),
    initiator: deployment.initiator ?? null,
    automated: deployment.automated,
    phase: deployment.phase,
    message: deployment.message ?? null,
    started_at: deployment.startedAt,
    finished_at: deployment.finishedAt ?? null,
  };
  if (deployment.id === undefined) {
    const owner = { account_id: runtime.accountId, runtime_id: runtime.id, key, uid };
    // An entry older than what was looked back at is there already.
    await trx
      .insertInto('deployments')
      .values({ ...owner, ...values })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else await trx.updateTable('deployments').set(values).where('id', '=', deployment.id).execute();
}
