// What lists show of the objects taken, and whom to tell of it.
import { isSameJson } from '@fairlead/base';
import { type ApplicationReport, manifestsPlace } from '@fairlead/contracts';
import { type SqlBool, sql } from 'kysely';
import { healthNews, type News } from '../notifications/index.ts';
import {
  type AttributesBefore,
  type ChangeKey,
  insertRows,
  type RuntimeRecord,
  type Transaction,
  takenFromExcluded,
} from '../store/index.ts';
import type { AcceptedObject } from './accept.ts';
import { projectApplication } from './projection.ts';
import type { Reports } from './stored-objects.ts';

export async function projectObjects(
  trx: Transaction,
  taken: readonly AcceptedObject[],
  { runtime, now }: Reports,
): Promise<{ changes: ChangeKey[]; news: News[] }> {
  const changed: ChangeKey[] = [];
  const news: News[] = [];
  const note = (kind: ChangeKey['kind'], key: string, before?: AttributesBefore) =>
    changed.push({ accountId: runtime.accountId, kind, runtimeId: runtime.id, key, before });
  const reports: ApplicationReport[] = [];
  for (const object of taken) {
    // No row of their own: the rules are, and workloads are asked for by who looks at them.
    if (object.kind === 'access-rules' || object.kind === 'workload') continue;
    if (object.kind !== 'application') note(object.kind, object.key);
    else if ('application' in object) reports.push(object.application);
    else {
      const removed = await removeRow(trx, runtime.id, object.key);
      if (removed?.entity === '') note('application', object.key, removed.before);
    }
  }
  for (const { key, before, isChanged, told } of await upsertRows(trx, { reports, runtime, now })) {
    if (isChanged) note('application', key, before);
    news.push(...told);
  }
  return { changes: changed, news };
}

function splitKey(key: string): [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

const attributeColumns = ['project', 'cluster', 'destination_namespace as namespace', 'labels', 'manifests'] as const;

async function removeRow(trx: Transaction, runtimeId: string, key: string) {
  const [namespace, name] = splitKey(key);
  const removed = await trx
    .deleteFrom('applications')
    .where('runtime_id', '=', runtimeId)
    .where('namespace', '=', namespace)
    .where('name', '=', name)
    .returning(attributeColumns)
    .returning('entity')
    .executeTakeFirst();
  if (!removed) return undefined;
  const { entity, ...before } = removed;
  return { entity, before };
}

interface Projected {
  readonly reports: readonly ApplicationReport[];
  readonly runtime: RuntimeRecord;
  readonly now: Date;
}

interface Upserted {
  readonly key: string;
  readonly before: AttributesBefore | undefined;
  /** It looks different now, to all or to some: only such are worth a message to people. */
  readonly isChanged: boolean;
  readonly told: readonly News[];
}

const keyTypes = { account_id: 'text', runtime_id: 'text', namespace: 'text', name: 'text' } as const;
const valueTypes = {
  project: 'text',
  health: 'text',
  sync: 'text',
  cluster: 'text',
  destination_namespace: 'text',
  attention: 'integer',
  changed_at: 'timestamptz',
  health_since: 'timestamptz',
  search: 'text',
  row: 'json',
  labels: 'jsonb',
  product: 'text',
  repo: 'text',
  entity: 'text',
  manifests: 'text',
} as const;

/** Gives those of rows that are listed. */
async function upsertRows(trx: Transaction, projected: Projected): Promise<Upserted[]> {
  if (projected.reports.length === 0) return [];
  const differing = await differingRows(trx, projected);
  const rows = differing.map(({ row }) => row);
  if (rows.length === 0) return [];
  await insertRows(trx, {
    table: 'applications',
    types: { ...keyTypes, ...valueTypes },
    rows,
    onConflict: sql`on conflict (runtime_id, namespace, name) do update set ${takenFromExcluded(Object.keys(valueTypes))}`,
  });
  return differing
    .filter(({ isListed }) => isListed)
    .map(({ row: { namespace, name, changed_at }, before, told }) => {
      const isChanged = changed_at === projected.now || before !== undefined;
      return { key: `${namespace}/${name}`, before, isChanged, told };
    });
}

async function differingRows(trx: Transaction, { reports, runtime, now }: Projected) {
  const names = reports.map(({ name }) => name);
  const known = await trx
    .selectFrom('applications')
    .select(['namespace', 'name', 'row', 'labels', 'product', 'changed_at', 'health', 'health_since'])
    .select(['project', 'cluster', 'destination_namespace', 'entity', 'manifests'])
    .where('runtime_id', '=', runtime.id)
    .where(sql<SqlBool>`name = any(${names})`)
    .execute();
  const before = new Map(known.map((row) => [`${row.namespace}/${row.name}`, row]));
  return reports.flatMap((report) => {
    const manifests = manifestsPlace(runtime.id, report.manifestRepositories);
    const projected = { ...projectApplication(report), manifests };
    const old = before.get(`${report.namespace}/${report.name}`);
    const isShownAlike = old !== undefined && isSameJson(old.row, projected.row);
    if (isShownAlike && isSameJson(askedOf(old), askedOf(projected))) return [];
    const row = {
      ...projected,
      account_id: runtime.accountId,
      runtime_id: runtime.id,
      namespace: report.namespace,
      name: report.name,
      changed_at: isShownAlike ? old.changed_at : now,
      health_since: old?.health === projected.health ? old.health_since : now,
      row: JSON.stringify(projected.row),
      labels: JSON.stringify(projected.labels),
    };
    // Nobody hears of what is in no list, before or after.
    const isListed = projected.entity === '' || old?.entity === '';
    const told = toldOf(report, runtime, { before: old?.health, note: projected.row.note });
    return [{ row, isListed, before: old && attributesLost(old, projected), told }];
  });
}

function toldOf(
  { namespace, name, health }: ApplicationReport,
  runtime: RuntimeRecord,
  { before, note }: { before: string | undefined; note: string },
): News[] {
  if (before === undefined) return [];
  const seen = { accountId: runtime.accountId, runtimeId: runtime.id, runtime: runtime.name, namespace, name };
  return healthNews(seen, { before, now: health.status, note });
}

type Attributed = Omit<AttributesBefore, 'namespace'> & { readonly destination_namespace: string };

/** What access rules saw of it before, if they see something else now. */
function attributesLost(old: Attributed, now: Attributed): AttributesBefore | undefined {
  const of = ({ project, cluster, destination_namespace: namespace, labels, manifests = '' }: Attributed) => ({
    project,
    cluster,
    namespace,
    labels,
    manifests,
  });
  return isSameJson(of(old), of(now)) ? undefined : of(old);
}

/** What rows are selected by, but do not show. */
const askedOf = ({ labels, product, entity, manifests }: Asked) => [labels, product, entity, manifests];

interface Asked {
  readonly labels: object;
  readonly product: string;
  readonly entity: string;
  readonly manifests: string;
}
