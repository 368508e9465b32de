// Clusters and Git Sources as their runtimes reported them last; those of a runtime that is hidden are hidden with it.
import type { AccessEntity, ClusterReport, ClusterRow, GitSourceReport, GitSourceRow } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import { isDeployed } from './application-filter.ts';
import type { Database } from './schema.ts';
import { isVisible, type Sight } from './visibility.ts';

interface EntityQuery {
  readonly accountId: string;
  readonly sight: Sight;
  /** Name of one. */
  readonly runtime?: string | undefined;
  /** One object of one runtime. */
  readonly object?: { readonly runtimeId: string; readonly key: string };
}

/** Listed at most; a runtime has far fewer clusters and Git Sources than applications. */
const maxListed = 5_000;

/** How many applications a cluster has is counted here, as in every list: the engine counts those of the runtime itself too. Those that are not seen do not count. */
export async function clusterRows(db: Kysely<Database>, query: EntityQuery): Promise<ClusterRow[]> {
  const [rows, counts] = await Promise.all([
    entityRows<ClusterReport>(db, 'cluster', query),
    db
      .selectFrom('applications')
      .innerJoin('runtimes', 'runtimes.id', 'applications.runtime_id')
      .select(['runtimes.name as runtime', 'applications.cluster'])
      .select(sql<number>`count(*)::int`.as('count'))
      .where('applications.account_id', '=', query.accountId)
      .where(isDeployed)
      .where(isVisible(query.sight.application))
      .groupBy(['runtimes.name', 'applications.cluster'])
      .execute(),
  ]);
  const countOf = new Map(counts.map(({ runtime, cluster, count }) => [JSON.stringify([runtime, cluster]), count]));
  return rows.map((row) => ({ ...row, applications: countOf.get(JSON.stringify([row.runtime, row.name])) ?? 0 }));
}

export const gitSourceRows = (db: Kysely<Database>, query: EntityQuery): Promise<GitSourceRow[]> =>
  entityRows<GitSourceReport>(db, 'git-source', query);

const entityOf = { cluster: 'cluster', 'git-source': 'gitSource' } as const satisfies Record<string, AccessEntity>;

async function entityRows<Report extends ClusterReport | GitSourceReport>(
  db: Kysely<Database>,
  kind: 'cluster' | 'git-source',
  { accountId, sight, runtime, object }: EntityQuery,
) {
  let select = db
    .selectFrom('reported_objects')
    .innerJoin('runtimes', 'runtimes.id', 'reported_objects.runtime_id')
    .select(['runtimes.name as runtime', 'runtimes.last_heard_at as lastHeardAt'])
    .select(['reported_objects.version_at as changedAt', 'reported_objects.received_at as receivedAt'])
    .select('reported_objects.payload as report')
    .where('reported_objects.account_id', '=', accountId)
    .where(sql<boolean>`reported_objects.kind = ${sql.lit(kind)} and not reported_objects.deleted`)
    .where(isVisible(sight.runtime, 'runtime'))
    .where(isVisible(sight[entityOf[kind]], entityOf[kind]))
    .orderBy('runtimes.name')
    .orderBy(sql`reported_objects.payload->>'name'`)
    .limit(maxListed);
  if (runtime !== undefined) select = select.where('runtimes.name', '=', runtime);
  if (object) {
    select = select
      .where('reported_objects.runtime_id', '=', object.runtimeId)
      .where('reported_objects.key', '=', object.key);
  }
  const rows = await select.execute();
  return rows.map(({ runtime: name, report, changedAt, receivedAt, lastHeardAt }) => ({
    ...(report as Report), // only checked reports are stored, under the kind that they are of
    runtime: name,
    changedAt: changedAt ?? receivedAt,
    lastHeardAt: lastHeardAt ?? receivedAt,
  }));
}
