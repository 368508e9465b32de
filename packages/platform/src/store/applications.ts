// The list of applications, answered in SQL: filters, order, pages by key (never by offset), counts.
// Pages are asked for more than all else: their statements are built once per shape, and the JSON of a row goes out as the
// database wrote it, without being parsed here.
import {
  type ApplicationRow,
  type ApplicationSummary,
  type HealthCode,
  isUnrestricted,
  type Visibility,
} from '@fairlead/contracts';
import { CompiledQuery, type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import {
  type ApplicationFilter,
  chosen,
  chosenShape,
  chosenValues,
  filters,
  isDeployed,
  visible,
} from './application-filter.ts';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts';
import type { Database, StoredRow } from './schema.ts';
import { isVisible } from './visibility.ts';

interface ApplicationQuery extends ApplicationFilter {
  readonly sort: 'attention' | 'name' | 'changed';
  readonly limit: number;
  readonly after?: string | undefined;
}

interface ListedPage {
  /** An array of `ApplicationRow`. */
  readonly itemsJson: string;
  readonly next?: string;
}

const base = (db: Kysely<Database>) =>
  db.selectFrom('applications').innerJoin('runtimes', 'runtimes.id', 'applications.runtime_id');

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
  const { rows } = await db.executeQuery<ListedRow>(
    query.after === undefined ? firstPage(db, query) : pageStatement(db, query).compile(),
  );
  const last = rows.length > query.limit ? rows[query.limit - 1] : undefined;
  return {
    itemsJson: `[${rows.slice(0, query.limit).map(toJson).join(',')}]`,
    ...(last ? { next: encodeCursor({ ...last, sort: query.sort }) } : {}),
  };
}

type ListedRow = Omit<Read, 'row'> & { readonly runtimeId: string; readonly attention: number; readonly json: string };

/** What `toRow` gives, as text; `json` is a stored row and has at least one field. */
const toJson = ({ json, runtime, namespace, name, changedAt, lastHeardAt }: ListedRow): string =>
  `{"id":${JSON.stringify({ runtime, namespace, name })},"changedAt":"${changedAt}","lastHeardAt":"${lastHeardAt ?? changedAt}",${json.slice(1)}`;

function pageStatement(db: Kysely<Database>, query: ApplicationQuery) {
  const cursor = query.after === undefined ? undefined : decodeCursor(query.after, query.sort);
  let page = base(db)
    .where((eb) => eb.and([...chosen(eb, query), ...(cursor ? [isAfter(cursor)] : []), ...visible(query)]))
    .select(columns.filter((column) => column !== 'applications.row'))
    .select(sql<string>`applications.row::text`.as('json'));
  if (query.sort === 'attention') page = page.orderBy('applications.attention');
  if (query.sort !== 'name') page = page.orderBy('applications.changed_at', 'desc');
  page = page.orderBy('applications.name').orderBy('applications.namespace').orderBy('applications.runtime_id');
  return page.limit(sql.lit(query.limit + 1));
}

interface Known {
  readonly text: string;
  /** Parameters of the access rules; they follow those of the question. */
  readonly rules: readonly unknown[];
}

/** Per person's rules; they go when the rules go. */
const knownPages = new WeakMap<Visibility, Map<string, Known>>();
const maxShapes = 64;

/** The statement of a page without a cursor, from what was built for the same shape before. */
function firstPage(db: Kysely<Database>, query: ApplicationQuery): CompiledQuery<ListedRow> {
  const values = chosenValues(query);
  const shape = `${query.sort} ${query.limit} ${chosenShape(query)}`;
  const shapes = knownPages.get(query.visibility) ?? new Map<string, Known>();
  knownPages.set(query.visibility, shapes);
  const known = shapes.get(shape) ?? { ...built(db, query, values) };
  if (!shapes.has(shape)) {
    const [oldest] = shapes.keys();
    if (shapes.size >= maxShapes && oldest !== undefined) shapes.delete(oldest);
    shapes.set(shape, known);
  }
  return CompiledQuery.raw(known.text, [...values, ...known.rules]) as CompiledQuery<ListedRow>; // the same columns
}

function built(db: Kysely<Database>, query: ApplicationQuery, values: readonly unknown[]): Known {
  const { sql: text, parameters } = pageStatement(db, query).compile();
  if (JSON.stringify(parameters.slice(0, values.length)) !== JSON.stringify(values)) {
    throw new Error('the values of a question stand in another order than its statement asks for them');
  }
  return { text, rules: parameters.slice(values.length) };
}

export async function countApplications(db: Kysely<Database>, filter: ApplicationFilter): Promise<number> {
  const counted = await base(db)
    .where((eb) => eb.and(filters(eb, filter)))
    .select((eb) => eb.fn.countAll<number>().as('matched'))
    .executeTakeFirstOrThrow();
  return Number(counted.matched);
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

/** What access rules can speak of. */
export async function applicationAttributes(db: Kysely<Database>, key: ApplicationKey) {
  return base(db)
    .select(['runtimes.name as runtime', 'applications.cluster', 'applications.project', 'applications.name'])
    .select(['applications.destination_namespace as namespace', 'applications.labels', 'applications.manifests'])
    .where('applications.account_id', '=', key.accountId)
    .where('runtimes.name', '=', key.runtime)
    .where('applications.namespace', '=', key.namespace)
    .where('applications.name', '=', key.name)
    .executeTakeFirst();
}

interface StoredKey {
  readonly runtimeId: string;
  /** `namespace/name`. */
  readonly key: string;
}

/** Rows by `runtimeId/namespace/name`; those that are gone or not visible are left out. */
export async function applicationRows(
  db: Kysely<Database>,
  keys: readonly StoredKey[],
  visibility: Visibility,
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
    .where(isDeployed)
    .where(isVisible(visibility))
    .execute();
  return new Map(rows.map((row) => [`${row.runtimeId}/${row.namespace}/${row.name}`, toRow(row)]));
}

export interface Seen {
  readonly accountId: string;
  readonly visibility: Visibility;
}

/** By what the user is kept from seeing more; that follows from their rights alone, not from what there is. */
function unseenBy({ allow, manifests }: Visibility): Pick<ApplicationSummary, 'unseen'> {
  if (allow !== 'all' && allow.length === 0) return { unseen: 'rules' };
  return manifests === undefined ? {} : { unseen: 'git' };
}

/** The words of the partial index on health_since: they must stand in the query as they stand there. */
const isTroubled = sql<SqlBool>`health in ('Degraded', 'Missing', 'Unknown')`;

export async function summariseApplications(
  db: Kysely<Database>,
  { accountId, visibility }: Seen,
): Promise<ApplicationSummary> {
  const [groups, worst] = await Promise.all([
    (isUnrestricted(visibility) ? db.selectFrom('applications') : base(db).where(isVisible(visibility)))
      .where('applications.account_id', '=', accountId)
      .where(isDeployed)
      .select(['health', 'sync', (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy(['health', 'sync'])
      .execute(),
    base(db)
      .where('applications.account_id', '=', accountId)
      .select([
        'applications.namespace',
        'applications.name',
        'runtimes.name as runtime',
        'health',
        'health_since as since',
      ])
      .where(isTroubled)
      .where(isDeployed)
      .where(isVisible(visibility))
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
  if (total === 0) return { total, byHealth, bySync, ...unseenBy(visibility) };
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
