// The past of one application: how it was at a moment, and the moments at which it changed.
import type { ApplicationReport, ApplicationTimeline } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import { type Database, decodePlace, encodePlace } from '../store/index.ts';
import { joinParts } from './record-versions.ts';

interface PastKey {
  readonly accountId: string;
  readonly runtimeId: string;
  /** `namespace/name`. */
  readonly key: string;
}

export interface PastApplication {
  /** Since when it was like this. */
  readonly at: string;
  readonly report: ApplicationReport;
}

/** Undefined when it did not exist at that moment, or nothing is kept of it. */
export async function applicationAt(
  db: Kysely<Database>,
  { accountId, runtimeId, key, at }: PastKey & { readonly at: string },
): Promise<PastApplication | undefined> {
  const version = await db
    .selectFrom('application_versions')
    .select(['at', 'head', 'tree', 'resources'])
    .where('runtime_id', '=', runtimeId)
    .where('key', '=', key)
    .where('at', '<=', at)
    .orderBy('at', 'desc')
    .orderBy('epoch', 'desc')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!version?.head || !version.tree || !version.resources) return undefined;
  const { head, tree, resources } = version;
  const stored = await db
    .selectFrom('contents')
    .select(['hash', 'body'])
    .where('account_id', '=', accountId)
    .where('hash', 'in', [head, tree, resources])
    .execute();
  const bodies = new Map(stored.map(({ hash, body }) => [hash, body]));
  const [headText, treeText, resourcesText] = [bodies.get(head), bodies.get(tree), bodies.get(resources)];
  if (headText === undefined || treeText === undefined || resourcesText === undefined) return undefined;
  return { at: version.at, report: joinParts({ head: headText, tree: treeText, resources: resourcesText }) };
}

interface TimelineQuery extends PastKey {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly after?: string | undefined;
  readonly now: Date;
}

export async function timelineOf(db: Kysely<Database>, query: TimelineQuery): Promise<ApplicationTimeline> {
  const { runtimeId, key, from, to, limit, after } = query;
  let select = db
    .selectFrom('application_versions')
    .select(['at', 'epoch', 'sequence', 'health', 'sync', 'revision', 'phase', 'head'])
    .where('runtime_id', '=', runtimeId)
    .where('key', '=', key)
    .orderBy('at', 'desc')
    .orderBy('epoch', 'desc')
    .orderBy('sequence', 'desc')
    .limit(limit + 1);
  if (from !== undefined) select = select.where('at', '>=', from);
  if (to !== undefined) select = select.where('at', '<=', to);
  if (after !== undefined) {
    const [at, epoch, sequence] = decodePlace(after, ['time', 'number', 'number']);
    select = select.where(sql<boolean>`(at, epoch, sequence) < (${at}::timestamptz, ${epoch}, ${sequence})`);
  }
  const [rows, days] = await Promise.all([select.execute(), daysOf(db, query)]);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    // Only checked reports get into the table.
    items: rows.slice(0, limit).map(toPoint) as ApplicationTimeline['items'],
    ...(last ? { next: encodePlace([last.at, last.epoch, last.sequence]) } : {}),
    days,
  };
}

interface StoredPoint {
  readonly at: string;
  readonly health: string | null;
  readonly sync: string | null;
  readonly revision: string | null;
  readonly phase: string | null;
  readonly head: string | null;
}

const toPoint = ({ at, head, ...facts }: StoredPoint) => ({
  at,
  ...(head === null ? { deleted: true } : {}),
  ...(facts.health === null ? {} : { health: facts.health }),
  ...(facts.sync === null ? {} : { sync: facts.sync }),
  ...(facts.revision === null ? {} : { revision: facts.revision }),
  ...(facts.phase === null ? {} : { phase: facts.phase }),
});

const daysShown = 30;

async function daysOf(db: Kysely<Database>, { runtimeId, key, now }: TimelineQuery) {
  const since = new Date(now.getTime() - daysShown * 24 * 3_600_000).toISOString();
  const { rows } = await sql<ApplicationTimeline['days'][number]>`
    select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*) filter (where phase = 'Succeeded')::int as succeeded,
      count(*) filter (where phase in ('Failed', 'Error'))::int as failed,
      count(*) filter (where phase not in ('Succeeded', 'Failed', 'Error'))::int as other
    from deployments
    where runtime_id = ${runtimeId} and key = ${key} and started_at >= ${since}
    group by 1 order by 1`.execute(db);
  return rows;
}
