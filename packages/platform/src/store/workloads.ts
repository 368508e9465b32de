// Rollouts, ReplicaSets, AnalysisRuns and Workflows as their runtimes reported them last.
import type { WorkloadDetail, WorkloadKind, WorkloadReport, WorkloadRow } from '@fairlead/contracts';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from './schema.ts';

interface WorkloadQuery {
  readonly runtime: { readonly id: string; readonly name: string };
  readonly kind?: WorkloadKind | undefined;
  readonly limit: number;
}

/** Of one application, with manifests. */
export async function workloadDetails(
  db: Kysely<Database>,
  {
    application,
    ...query
  }: WorkloadQuery & { readonly application: { readonly namespace: string; readonly name: string } },
): Promise<WorkloadDetail[]> {
  const { namespace, name } = application;
  const rows = await selectWorkloads(db, query)
    .where(sql<SqlBool>`payload #>> '{application,name}' = ${name}`)
    .where(sql<SqlBool>`payload #>> '{application,namespace}' = ${namespace}`)
    .select('reported_objects.payload as report')
    .execute();
  return rows.map((row) => shown<WorkloadReport>(row, query.runtime.name));
}

/** Of a whole runtime, without manifests. */
export async function workloadRows(db: Kysely<Database>, query: WorkloadQuery): Promise<WorkloadRow[]> {
  const rows = await selectWorkloads(db, query).select(sql<object | null>`payload - 'manifest'`.as('report')).execute();
  return rows.map((row) => shown<Omit<WorkloadReport, 'manifest'>>(row, query.runtime.name));
}

/** Newest change first. */
function selectWorkloads(db: Kysely<Database>, { runtime, kind, limit }: WorkloadQuery) {
  const select = db
    .selectFrom('reported_objects')
    .innerJoin('runtimes', 'runtimes.id', 'reported_objects.runtime_id')
    .select(['reported_objects.version_at as changedAt', 'reported_objects.received_at as receivedAt'])
    .select('runtimes.last_heard_at as lastHeardAt')
    .where('reported_objects.runtime_id', '=', runtime.id)
    .where(sql<SqlBool>`reported_objects.kind = 'workload' and not reported_objects.deleted`)
    .orderBy('reported_objects.version_at', 'desc')
    .orderBy('reported_objects.key')
    .limit(limit);
  return kind === undefined ? select : select.where(sql<SqlBool>`payload ->> 'kind' = ${kind}`);
}

interface Stored {
  readonly report: object | null;
  readonly changedAt: string | null;
  readonly receivedAt: string;
  readonly lastHeardAt: string | null;
}

const shown = <Report>({ report, changedAt, receivedAt, lastHeardAt }: Stored, runtime: string) => ({
  ...(report as Report), // only checked reports are stored, under the kind that they are of
  runtime,
  changedAt: changedAt ?? receivedAt,
  lastHeardAt: lastHeardAt ?? receivedAt,
});

/** That one was deleted is kept only for as long as an older report of it may still come. */
export async function forgetDeletedWorkloads(db: Kysely<Database>, before: Date): Promise<void> {
  await db
    .deleteFrom('reported_objects')
    .where(sql<SqlBool>`kind = 'workload' and deleted`)
    .where('received_at', '<', before.toISOString())
    .execute();
}
