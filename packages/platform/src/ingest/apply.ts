// Writes accepted reports, in one transaction: the only writer of reported state. An object is taken only when its
// (epoch, sequence) is newer than what is stored, so that delivering it again, late or in another order changes nothing.
import { canonicalJson } from '@fairlead/base';
import type { ApplicationReport } from '@fairlead/contracts';
import { type SqlBool, sql } from 'kysely';
import { type ChangeKey, type RuntimeRecord, recordChanges, setHeard, type Transaction } from '../store/index.ts';
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
  await storeContents(trx, reports);
  const taken = await storeObjects(trx, reports);
  const changes = await projectObjects(trx, taken, reports);
  const missingContents = await missingAmong(trx, runtime.accountId, named);
  await setHeard(trx, runtime.id, now);
  await recordChanges(trx, changes, now);
  return { applied: taken.length, ignored: objects.length - taken.length, missingContents };
}

async function storeContents(trx: Transaction, { runtime, contents, now }: Reports): Promise<void> {
  if (contents.size === 0) return;
  // In the order of their hashes, as every other batch: two batches with the same contents cannot deadlock.
  const rows = [...contents]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([hash, body]) => ({ account_id: runtime.accountId, hash, body, created_at: now }));
  await trx
    .insertInto('contents')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The newest of each key, ordered by key for the same reason as contents. */
function newestPerKey(objects: readonly AcceptedObject[]): AcceptedObject[] {
  const newest = new Map<string, AcceptedObject>();
  for (const object of objects) {
    const id = `${object.kind} ${object.key}`;
    const other = newest.get(id);
    if (!other || object.epoch > other.epoch || (object.epoch === other.epoch && object.sequence > other.sequence)) {
      newest.set(id, object);
    }
  }
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

async function storeObjects(trx: Transaction, { runtime, objects, now }: Reports): Promise<AcceptedObject[]> {
  const newest = newestPerKey(objects);
  if (newest.length === 0) return [];
  const rows = newest.map((object) => ({
    account_id: runtime.accountId,
    runtime_id: runtime.id,
    kind: object.kind,
    key: object.key,
    uid: object.uid,
    epoch: object.epoch,
    sequence: object.sequence,
    hash: object.hash,
    deleted: 'deleted' in object,
    observed_at: object.observedAt,
    received_at: now,
    payload: payloadOf(object),
  }));
  const columns = ['uid', 'epoch', 'sequence', 'hash', 'deleted', 'observed_at', 'received_at', 'payload'] as const;
  const taken = await trx
    .insertInto('reported_objects')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['runtime_id', 'kind', 'key'])
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)])))
        .where(sql<SqlBool>`(reported_objects.epoch, reported_objects.sequence) < (excluded.epoch, excluded.sequence)`),
    )
    .returning(['kind', 'key'])
    .execute();
  const takenIds = new Set(taken.map(({ kind, key }) => `${kind} ${key}`));
  return newest.filter(({ kind, key }) => takenIds.has(`${kind} ${key}`));
}

function payloadOf(object: AcceptedObject): string | null {
  if ('application' in object) return JSON.stringify(object.application);
  return 'runtime' in object ? JSON.stringify(object.runtime) : null;
}

async function projectObjects(
  trx: Transaction,
  taken: readonly AcceptedObject[],
  { runtime, now }: Reports,
): Promise<ChangeKey[]> {
  const changed: ChangeKey[] = [];
  const note = (kind: ChangeKey['kind'], key: string) =>
    changed.push({ accountId: runtime.accountId, kind, runtimeId: runtime.id, key });
  const reports: ApplicationReport[] = [];
  for (const object of taken) {
    if (object.kind === 'runtime') note('runtime', object.key);
    else if ('application' in object) reports.push(object.application);
    else if (await removeRow(trx, runtime.id, object.key)) note('application', object.key);
  }
  for (const key of await upsertRows(trx, { reports, runtime, now })) note('application', key);
  return changed;
}

function splitKey(key: string): [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

async function removeRow(trx: Transaction, runtimeId: string, key: string): Promise<boolean> {
  const [namespace, name] = splitKey(key);
  const removed = await trx
    .deleteFrom('applications')
    .where('runtime_id', '=', runtimeId)
    .where('namespace', '=', namespace)
    .where('name', '=', name)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

interface Projected {
  readonly reports: readonly ApplicationReport[];
  readonly runtime: RuntimeRecord;
  readonly now: Date;
}

/** Gives the keys of rows that really look different now: only these are worth a message to people. */
async function upsertRows(trx: Transaction, projected: Projected): Promise<string[]> {
  if (projected.reports.length === 0) return [];
  const rows = await differingRows(trx, projected);
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
  return rows.map(({ namespace, name }) => `${namespace}/${name}`);
}

async function differingRows(trx: Transaction, { reports, runtime, now }: Projected) {
  const names = reports.map(({ name }) => name);
  const known = await trx
    .selectFrom('applications')
    .select(['namespace', 'name', 'row', 'health', 'health_since'])
    .where('runtime_id', '=', runtime.id)
    .where('name', 'in', names)
    .execute();
  const before = new Map(known.map((row) => [`${row.namespace}/${row.name}`, row]));
  return reports.flatMap((report) => {
    const projected = projectApplication(report);
    const old = before.get(`${report.namespace}/${report.name}`);
    if (old && canonicalJson(old.row) === canonicalJson(projected.row)) return [];
    return [
      {
        ...projected,
        account_id: runtime.accountId,
        runtime_id: runtime.id,
        namespace: report.namespace,
        name: report.name,
        changed_at: now,
        health_since: old?.health === projected.health ? old.health_since : now,
        row: JSON.stringify(projected.row),
      },
    ];
  });
}

async function missingAmong(trx: Transaction, accountId: string, named: ReadonlySet<string>): Promise<string[]> {
  if (named.size === 0) return [];
  const hashes = [...named];
  const stored = await trx
    .selectFrom('contents')
    .select('hash')
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`hash = any(${hashes})`)
    .execute();
  const present = new Set(stored.map(({ hash }) => hash));
  return hashes.filter((hash) => !present.has(hash));
}
