import { type DeploymentPage, type DeploymentRow, isUnrestricted } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import { type Database, decodePlace, encodePlace, isVisible, type Seen } from '../store/index.ts';

/** Without sight of everything, only deployments of applications that are there now and may be seen. */
export interface DeploymentQuery extends Seen {
  /** One application; without it those of all. */
  readonly application?: { readonly runtimeId: string; readonly key: string };
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly after?: string | undefined;
}

/** Newest first, by pages. */
export async function listDeployments(db: Kysely<Database>, query: DeploymentQuery): Promise<DeploymentPage> {
  const { accountId, visibility, application, from, to, limit, after } = query;
  let select = db
    .selectFrom('deployments')
    .innerJoin('runtimes', 'runtimes.id', 'deployments.runtime_id')
    .selectAll('deployments')
    .select('runtimes.name as runtime')
    .where('deployments.account_id', '=', accountId)
    .orderBy('deployments.started_at', 'desc')
    .orderBy('deployments.id', 'desc')
    .limit(limit + 1);
  if (application) {
    select = select
      .where('deployments.runtime_id', '=', application.runtimeId)
      .where('deployments.key', '=', application.key);
  }
  // The history of one application is shown whatever it is; among all, only what people deploy.
  if (!application) {
    select = select.where(sql<boolean>`not exists (select from applications
      where applications.runtime_id = deployments.runtime_id and applications.namespace = split_part(deployments.key, '/', 1)
        and applications.name = split_part(deployments.key, '/', 2) and applications.entity <> '')`);
  }
  if (!isUnrestricted(visibility)) {
    select = select.where(sql<boolean>`exists (select from applications
      where applications.runtime_id = deployments.runtime_id and applications.namespace = split_part(deployments.key, '/', 1)
        and applications.name = split_part(deployments.key, '/', 2) and ${isVisible(visibility)})`);
  }
  if (from !== undefined) select = select.where('deployments.started_at', '>=', from);
  if (to !== undefined) select = select.where('deployments.started_at', '<=', to);
  if (after !== undefined) {
    const [startedAt, id] = decodePlace(after, ['time', 'number']);
    select = select.where(sql<boolean>`(deployments.started_at, deployments.id) < (${startedAt}::timestamptz, ${id})`);
  }
  const rows = await select.execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    items: rows.slice(0, limit).map(toRow),
    ...(last ? { next: encodePlace([last.started_at, last.id]) } : {}),
  };
}

interface Read {
  readonly id: number;
  readonly runtime: string;
  readonly key: string;
  readonly history_id: number | null;
  readonly revision: string;
  readonly commit: DeploymentRow['commit'] | null;
  readonly images_from: string[];
  readonly images_to: string[];
  readonly initiator: string | null;
  readonly automated: boolean;
  readonly phase: DeploymentRow['phase'];
  readonly message: string | null;
  readonly started_at: string;
  readonly finished_at: string | null;
}

function toRow(row: Read): DeploymentRow {
  const slash = row.key.indexOf('/');
  const durationMs = row.finished_at === null ? undefined : Date.parse(row.finished_at) - Date.parse(row.started_at);
  return {
    id: row.id,
    application: { runtime: row.runtime, namespace: row.key.slice(0, slash), name: row.key.slice(slash + 1) },
    revision: row.revision,
    ...(row.commit ? { commit: row.commit } : {}),
    images: { from: row.images_from, to: row.images_to },
    ...(row.initiator === null ? {} : { initiator: row.initiator }),
    automated: row.automated,
    phase: row.phase,
    ...(row.message === null ? {} : { message: row.message }),
    startedAt: row.started_at,
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
    ...(durationMs === undefined ? {} : { durationMs: Math.max(0, durationMs) }),
    ...(row.history_id === null ? {} : { historyId: row.history_id }),
  };
}
