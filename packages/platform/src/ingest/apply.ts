// Writes accepted reports, in one transaction: the only writer of reported state. An object is taken only when its
// (epoch, sequence) is newer than what is stored, so that delivering it again, late or in another order changes nothing.
import { canonicalJson } from '@fairlead/base';
import type { ApplicationReport } from '@fairlead/contracts';
import { type SqlBool, sql } from 'kysely';
import {
  deploymentsHash,
  keepContents,
  type NewVersion,
  recordDeployments,
  recordVersions,
  type SeenApplication,
  type SeenReport,
  versionMoment,
} from '../past/index.ts';
import {
  type AttributesBefore,
  type ChangeKey,
  type RuntimeRecord,
  recordChanges,
  setHeard,
  type Transaction,
} from '../store/index.ts';
import type { AcceptedObject } from './accept.ts';
import { projectApplication } from './projection.ts';

export interface Reports {
  readonly runtime: RuntimeRecord;
  readonly objects: readonly AcceptedObject[];
  readonly contents: ReadonlyMap<string, string>;
  readonly named: ReadonlySet<string>;
  readonly now: Date;
}

export interface Applied {
  readonly applied: number;
  readonly ignored: number;
  readonly missingContents: string[];
}

export async function applyReports(trx: Transaction, reports: Reports): Promise<Applied> {
  const { runtime, objects, named, now } = reports;
  const before = await storedBefore(trx, reports);
  const stored = stampRows(reports, before);
  const taken = await storeObjects(trx, stored);
  const changes = await projectObjects(trx, taken, reports);
  const contents = new Map(reports.contents);
  await recordVersions(trx, newVersions(stored, taken, before), { runtime, contents });
  await keepContents(trx, { accountId: runtime.accountId, contents, named, now });
  await recordDeployments(trx, runtime, seenApplications(reports, taken, before));
  const missingContents = await missingAmong(trx, runtime.accountId, unsent(named, contents));
  await setHeard(trx, runtime.id, now);
  await recordChanges(trx, changes, now);
  return { applied: taken.length, ignored: objects.length - taken.length, missingContents };
}

interface Before {
  readonly epoch: number;
  readonly sequence: number;
  readonly version_at: string | null;
  readonly version_hash: string | null;
  readonly deployments_hash: string | null;
}
type Known = ReadonlyMap<string, Before>;

const idOf = ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`;
type Stamp = Pick<AcceptedObject, 'epoch' | 'sequence'>;
const isNewer = (a: Stamp, b: Stamp) => a.epoch > b.epoch || (a.epoch === b.epoch && a.sequence > b.sequence);

/** Locks what the batch is about, in the order of keys, so that what is read here holds until the commit. */
async function storedBefore(trx: Transaction, { runtime, objects }: Reports): Promise<Known> {
  if (objects.length === 0) return new Map();
  const keys = [...new Set(objects.map(({ key }) => key))];
  const rows = await trx
    .selectFrom('reported_objects')
    .select(['kind', 'key', 'epoch', 'sequence', 'version_at', 'version_hash', 'deployments_hash'])
    .where('runtime_id', '=', runtime.id)
    .where(sql<SqlBool>`key = any(${keys})`)
    .orderBy('kind')
    .orderBy('key')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [idOf(row), row]));
}

/** The newest of each key, ordered by key, as every other batch: two batches cannot deadlock. */
function newestPerKey(objects: readonly AcceptedObject[]): AcceptedObject[] {
  const newest = new Map<string, AcceptedObject>();
  for (const object of objects) {
    const other = newest.get(idOf(object));
    if (!other || isNewer(object, other)) newest.set(idOf(object), object);
  }
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

interface StampedObject {
  readonly object: AcceptedObject;
  readonly versionAt: Date;
  readonly row: ReturnType<typeof stampedRow>;
}

function stampRows({ runtime, objects, now }: Reports, before: Known): StampedObject[] {
  return newestPerKey(objects).map((object) => {
    const previous = before.get(idOf(object));
    const isSame = previous?.version_hash === object.hash;
    const versionAt =
      isSame && previous?.version_at
        ? new Date(previous.version_at)
        : versionMoment(object.observedAt, { now, previous: previous?.version_at ?? null });
    return { object, versionAt, row: stampedRow(object, { runtime, now, versionAt }) };
  });
}

function stampedRow(object: AcceptedObject, stamp: { runtime: RuntimeRecord; now: Date; versionAt: Date }) {
  return {
    account_id: stamp.runtime.accountId,
    runtime_id: stamp.runtime.id,
    kind: object.kind,
    key: object.key,
    uid: object.uid,
    epoch: object.epoch,
    sequence: object.sequence,
    hash: object.hash,
    deleted: 'deleted' in object,
    observed_at: object.observedAt,
    received_at: stamp.now,
    payload: payloadOf(object),
    version_at: stamp.versionAt,
    version_hash: object.hash,
    deployments_hash: 'application' in object ? deploymentsHash(object.application) : null,
  };
}

async function storeObjects(trx: Transaction, stamped: readonly StampedObject[]): Promise<AcceptedObject[]> {
  if (stamped.length === 0) return [];
  const columns = [
    'uid',
    'epoch',
    'sequence',
    'hash',
    'deleted',
    'observed_at',
    'received_at',
    'payload',
    'version_at',
    'version_hash',
    'deployments_hash',
  ] as const;
  const taken = await trx
    .insertInto('reported_objects')
    .values(stamped.map(({ row }) => row))
    .onConflict((conflict) =>
      conflict
        .columns(['runtime_id', 'kind', 'key'])
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)])))
        .where(sql<SqlBool>`(reported_objects.epoch, reported_objects.sequence) < (excluded.epoch, excluded.sequence)`),
    )
    .returning(['kind', 'key'])
    .execute();
  const takenIds = new Set(taken.map(idOf));
  return stamped.flatMap(({ object }) => (takenIds.has(idOf(object)) ? [object] : []));
}

function newVersions(stamped: readonly StampedObject[], taken: readonly AcceptedObject[], before: Known): NewVersion[] {
  const isTaken = new Set(taken);
  return stamped.flatMap(({ object, versionAt }) => {
    const isKnown = before.get(idOf(object))?.version_hash === object.hash;
    if (object.kind !== 'application' || !isTaken.has(object) || isKnown) return [];
    const { key, uid, epoch, sequence } = object;
    return [
      { key, uid, epoch, sequence, at: versionAt, report: 'application' in object ? object.application : undefined },
    ];
  });
}

/** Of every object of the batch, also of those that a newer one in it overtook: each may tell of an operation's end. */
function seenApplications({ objects }: Reports, taken: readonly AcceptedObject[], before: Known): SeenApplication[] {
  const takenIds = new Set(taken.map(idOf));
  const inOrder = [...objects].sort((a, b) => (isNewer(a, b) ? 1 : -1));
  const seen = new Map<string, { key: string; uid: string; reports: SeenReport[] }>();
  for (const object of inOrder) {
    if (!('application' in object)) continue;
    const known = before.get(idOf(object));
    const isLate = !takenIds.has(idOf(object)) || (known !== undefined && !isNewer(object, known));
    if (known?.deployments_hash === deploymentsHash(object.application)) continue;
    const id = `${object.key} ${object.uid}`;
    const one = seen.get(id) ?? { key: object.key, uid: object.uid, reports: [] };
    one.reports.push({ report: object.application, isLate });
    seen.set(id, one);
  }
  return [...seen.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function payloadOf(object: AcceptedObject): string | null {
  if ('application' in object) return JSON.stringify(object.application);
  if ('cluster' in object) return JSON.stringify(object.cluster);
  if ('gitSource' in object) return JSON.stringify(object.gitSource);
  return 'runtime' in object ? JSON.stringify(object.runtime) : null;
}

async function projectObjects(
  trx: Transaction,
  taken: readonly AcceptedObject[],
  { runtime, now }: Reports,
): Promise<ChangeKey[]> {
  const changed: ChangeKey[] = [];
  const note = (kind: ChangeKey['kind'], key: string, before?: AttributesBefore) =>
    changed.push({ accountId: runtime.accountId, kind, runtimeId: runtime.id, key, before });
  const reports: ApplicationReport[] = [];
  for (const object of taken) {
    if (object.kind !== 'application') note(object.kind, object.key);
    else if ('application' in object) reports.push(object.application);
    else {
      const removed = await removeRow(trx, runtime.id, object.key);
      if (removed?.entity === '') note('application', object.key, removed.before);
    }
  }
  for (const { key, before } of await upsertRows(trx, { reports, runtime, now })) note('application', key, before);
  return changed;
}

function splitKey(key: string): [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

const attributeColumns = ['project', 'cluster', 'destination_namespace as namespace', 'labels'] as const;

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
}

/** Gives rows that really look different now, to all or to some: only these are worth a message to people. */
async function upsertRows(trx: Transaction, projected: Projected): Promise<Upserted[]> {
  if (projected.reports.length === 0) return [];
  const differing = await differingRows(trx, projected);
  const rows = differing.map(({ row }) => row);
  if (rows.length === 0) return [];
  const columns = [
    'project',
    'health',
    'sync',
    'cluster',
    'destination_namespace',
    'attention',
    'changed_at',
    'health_since',
    'search',
    'row',
    'labels',
    'product',
    'repo',
    'entity',
  ] as const;
  await trx
    .insertInto('applications')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['runtime_id', 'namespace', 'name'])
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute();
  return differing
    .filter(({ row, before, isListed }) => isListed && (row.changed_at === projected.now || before))
    .map(({ row: { namespace, name }, before }) => ({ key: `${namespace}/${name}`, before }));
}

async function differingRows(trx: Transaction, { reports, runtime, now }: Projected) {
  const names = reports.map(({ name }) => name);
  const known = await trx
    .selectFrom('applications')
    .select(['namespace', 'name', 'row', 'labels', 'product', 'changed_at', 'health', 'health_since'])
    .select(['project', 'cluster', 'destination_namespace', 'entity'])
    .where('runtime_id', '=', runtime.id)
    .where('name', 'in', names)
    .execute();
  const before = new Map(known.map((row) => [`${row.namespace}/${row.name}`, row]));
  return reports.flatMap((report) => {
    const projected = projectApplication(report);
    const old = before.get(`${report.namespace}/${report.name}`);
    const isShownAlike = old !== undefined && canonicalJson(old.row) === canonicalJson(projected.row);
    if (isShownAlike && askedOf(old) === askedOf(projected)) return [];
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
    return [{ row, isListed, before: old && attributesLost(old, projected) }];
  });
}

type Attributed = Omit<AttributesBefore, 'namespace'> & { readonly destination_namespace: string };

/** What access rules saw of it before, if they see something else now. */
function attributesLost(old: Attributed, now: Attributed): AttributesBefore | undefined {
  const of = ({ project, cluster, destination_namespace: namespace, labels }: Attributed) => ({
    project,
    cluster,
    namespace,
    labels,
  });
  return canonicalJson(of(old)) === canonicalJson(of(now)) ? undefined : of(old);
}

/** What rows are selected by, but do not show. */
const askedOf = ({ labels, product, entity }: { labels: object; product: string; entity: string }) =>
  canonicalJson([labels, product, entity]);

const unsent = (named: ReadonlySet<string>, contents: ReadonlyMap<string, string>) =>
  [...named].filter((hash) => !contents.has(hash));

async function missingAmong(trx: Transaction, accountId: string, hashes: readonly string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const stored = await trx
    .selectFrom('contents')
    .select('hash')
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`hash = any(${hashes})`)
    .execute();
  const present = new Set(stored.map(({ hash }) => hash));
  return hashes.filter((hash) => !present.has(hash));
}
