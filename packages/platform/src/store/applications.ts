// The list of applications, answered in SQL: filters, order, pages by key (never by offset), counts.
import type { ApplicationRow, ApplicationSummary, HealthCode } from '@fairlead/contracts';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts';
import type { Database, StoredRow } from './schema.ts';

interface ApplicationQuery {
  readonly accountId: string;
  readonly search?: string | undefined;
  readonly health?: readonly string[] | undefined;
  readonly sync?: readonly string[] | undefined;
  readonly runtime?: readonly string[] | undefined;
  readonly cluster?: readonly string[] | undefined;
  readonly namespace?: readonly string[] | undefined;
  readonly project?: readonly string[] | undefined;
  readonly sort: 'attention' | 'name' | 'changed';
  readonly limit: number;
  readonly after?: string | undefined;
}

interface ListedPage {
  readonly items: ApplicationRow[];
  readonly matched: number;
  readonly next?: string;
}

const base = (db: Kysely<Database>) =>
  db.selectFrom('applications').innerJoin('runtimes', 'runtimes.id', 'applications.runtime_id');
type Listed = 'applications' | 'runtimes';

const columns = [
  'applications.namespace',
  'applications.name',
  'applications.runtime_id as runtimeId',
  'applications.attention',
  'applications.changed_at as changedAt',
  'applications.row',
  'runtimes.name as runtime',
  'runtimes.last_heard_at as lastHeardAt',
] as const;

interface Read {
  readonly namespace: string;
  readonly name: string;
  readonly changedAt: string;
  readonly row: StoredRow;
  readonly runtime: string;
  readonly lastHeardAt: string | null;
}

const toRow = ({ row, runtime, namespace, name, changedAt, lastHeardAt }: Read): ApplicationRow => ({
  id: { runtime, namespace, name },
  ...row,
  changedAt,
  lastHeardAt: lastHeardAt ?? changedAt,
});

export async function listApplications(db: Kysely<Database>, query: ApplicationQuery): Promise<ListedPage> {
  const filtered = base(db).where((eb) => eb.and(filters(eb, query)));
  const cursor = query.after === undefined ? undefined : decodeCursor(query.after, query.sort);
  let page = filtered.select(columns);
  if (query.sort === 'attention') page = page.orderBy('applications.attention');
  if (query.sort !== 'name') page = page.orderBy('applications.changed_at', 'desc');
  page = page.orderBy('applications.name').orderBy('applications.namespace').orderBy('applications.runtime_id');
  if (cursor) page = page.where(isAfter(cursor));
  const [rows, counted] = await Promise.all([
    page.limit(query.limit + 1).execute(),
    filtered.select((eb) => eb.fn.countAll<number>().as('matched')).executeTakeFirstOrThrow(),
  ]);
  const last = rows.length > query.limit ? rows[query.limit - 1] : undefined;
  return {
    items: rows.slice(0, query.limit).map(toRow),
    matched: Number(counted.matched),
    ...(last ? { next: encodeCursor({ ...last, sort: query.sort }) } : {}),
  };
}

function filters(eb: ExpressionBuilder<Database, Listed>, query: ApplicationQuery): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = [eb('applications.account_id', '=', query.accountId)];
  const among = [
    ['applications.health', query.health],
    ['applications.sync', query.sync],
    ['applications.cluster', query.cluster],
    ['applications.namespace', query.namespace],
    ['applications.project', query.project],
    ['runtimes.name', query.runtime],
  ] as const;
  for (const [column, values] of among) if (values?.length) all.push(eb(column, 'in', values));
  // Each word must be found somewhere; position() takes % and _ as they are.
  for (const word of (query.search ?? '').toLowerCase().split(/\s+/).filter(Boolean)) {
    all.push(sql<SqlBool>`position(${word} in applications.search) > 0`);
  }
  return all;
}

/** Row comparison by hand, since the order mixes directions; the text of `changedAt` is cut to milliseconds both times. */
function isAfter({ sort, attention, changedAt, name, namespace, runtimeId }: Cursor): Expression<SqlBool> {
  const byName = sql<SqlBool>`(applications.name, applications.namespace, applications.runtime_id)
    > (${name}, ${namespace}, ${runtimeId})`;
  if (sort === 'name') return byName;
  const at = sql`${changedAt}::timestamptz`;
  const byTime = sql<SqlBool>`(applications.changed_at < ${at} or (applications.changed_at = ${at} and ${byName}))`;
  if (sort === 'changed') return byTime;
  return sql<SqlBool>`(applications.attention > ${attention} or (applications.attention = ${attention} and ${byTime}))`;
}

interface ApplicationKey {
  readonly accountId: string;
  readonly runtime: string;
  readonly namespace: string;
  readonly name: string;
}

export async function applicationRow(db: Kysely<Database>, key: ApplicationKey): Promise<ApplicationRow | undefined> {
  const found = await base(db)
    .select(columns)
    .where('applications.account_id', '=', key.accountId)
    .where('runtimes.name', '=', key.runtime)
    .where('applications.namespace', '=', key.namespace)
    .where('applications.name', '=', key.name)
    .executeTakeFirst();
  return found && toRow(found);
}

interface StoredKey {
  readonly runtimeId: string;
  /** `namespace/name`. */
  readonly key: string;
}

/** Rows by `runtimeId/namespace/name`; those that are gone are left out. */
export async function applicationRows(
  db: Kysely<Database>,
  keys: readonly StoredKey[],
): Promise<Map<string, ApplicationRow>> {
  if (keys.length === 0) return new Map();
  const wanted = keys.map(({ runtimeId, key }) => `${runtimeId}/${key}`);
  const path = sql<string>`applications.runtime_id || '/' || applications.namespace || '/' || applications.name`;
  const runtimeIds = [...new Set(keys.map((key) => key.runtimeId))];
  const names = [...new Set(keys.map((key) => key.key.slice(key.key.indexOf('/') + 1)))];
  const rows = await base(db)
    .select(columns)
    .where('applications.runtime_id', 'in', runtimeIds)
    .where('applications.name', 'in', names)
    .where(sql<SqlBool>`${path} = any(${wanted})`)
    .execute();
  return new Map(rows.map((row) => [`${row.runtimeId}/${row.namespace}/${row.name}`, toRow(row)]));
}

const troubled = ['Degraded', 'Missing', 'Unknown'];

export async function summariseApplications(db: Kysely<Database>, accountId: string): Promise<ApplicationSummary> {
  const mine = base(db).where('applications.account_id', '=', accountId);
  const [groups, worst] = await Promise.all([
    mine
      .select(['health', 'sync', (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy(['health', 'sync'])
      .execute(),
    mine
      .select([
        'applications.namespace',
        'applications.name',
        'runtimes.name as runtime',
        'health',
        'health_since as since',
      ])
      .where('health', 'in', troubled)
      .orderBy('health_since', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  const byHealth: Record<string, number> = {};
  const bySync: Record<string, number> = {};
  let total = 0;
  for (const { health, sync, count } of groups) {
    total += Number(count);
    byHealth[health] = (byHealth[health] ?? 0) + Number(count);
    bySync[sync] = (bySync[sync] ?? 0) + Number(count);
  }
  if (!worst) return { total, byHealth, bySync };
  const { runtime, namespace, name, health, since } = worst;
  // Only checked reports get into the table.
  return {
    total,
    byHealth,
    bySync,
    newestTrouble: { id: { runtime, namespace, name }, health: health as HealthCode, since },
  };
}
