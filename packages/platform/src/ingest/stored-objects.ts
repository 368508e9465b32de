// Reported objects as they are kept: one row a key, guarded by (epoch, sequence).
import { type SqlBool, sql } from 'kysely';
import { deploymentsHash, versionMoment } from '../past/index.ts';
import { insertRows, type RuntimeRecord, type Transaction, takenFromExcluded } from '../store/index.ts';
import type { AcceptedObject } from './accept.ts';

export interface Reports {
  readonly runtime: RuntimeRecord;
  readonly objects: readonly AcceptedObject[];
  readonly contents: ReadonlyMap<string, string>;
  readonly named: ReadonlySet<string>;
  readonly now: Date;
}

interface Before {
  readonly epoch: number;
  readonly sequence: number;
  readonly version_at: string | null;
  readonly version_hash: string | null;
  readonly deployments_hash: string | null;
}
export type Known = ReadonlyMap<string, Before>;

export const idOf = ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`;
type Stamp = Pick<AcceptedObject, 'epoch' | 'sequence'>;
export const isNewer = (a: Stamp, b: Stamp) => a.epoch > b.epoch || (a.epoch === b.epoch && a.sequence > b.sequence);

/** Locks what the batch is about, in the order of keys, so that what is read here holds until the commit. */
export async function storedBefore(trx: Transaction, { runtime, objects }: Reports): Promise<Known> {
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

/** What each reported application says about deployments, as a hash: worked out once for all who ask. */
export type DeploymentHashes = ReadonlyMap<AcceptedObject, string>;

export const deploymentHashes = ({ objects }: Reports): DeploymentHashes =>
  new Map(
    objects.flatMap((object) => ('application' in object ? [[object, deploymentsHash(object.application)]] : [])),
  );

export interface StampedObject {
  readonly object: AcceptedObject;
  readonly versionAt: Date;
  readonly row: ReturnType<typeof stampedRow>;
}

export function stampRows(
  { runtime, objects, now }: Reports,
  before: Known,
  hashes: DeploymentHashes,
): StampedObject[] {
  return newestPerKey(objects).map((object) => {
    const previous = before.get(idOf(object));
    const isSame = previous?.version_hash === object.hash;
    const versionAt =
      isSame && previous?.version_at
        ? new Date(previous.version_at)
        : versionMoment(object.observedAt, { now, previous: previous?.version_at ?? null });
    return {
      object,
      versionAt,
      row: stampedRow(object, { runtime, now, versionAt, deploymentsHash: hashes.get(object) ?? null }),
    };
  });
}

interface Stamps {
  readonly runtime: RuntimeRecord;
  readonly now: Date;
  readonly versionAt: Date;
  readonly deploymentsHash: string | null;
}

function stampedRow(object: AcceptedObject, stamp: Stamps) {
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
    deployments_hash: stamp.deploymentsHash,
  };
}

const keyTypes = { account_id: 'text', runtime_id: 'text', kind: 'text', key: 'text' } as const;
const valueTypes = {
  uid: 'text',
  epoch: 'bigint',
  sequence: 'bigint',
  hash: 'text',
  deleted: 'boolean',
  observed_at: 'text',
  received_at: 'timestamptz',
  payload: 'jsonb',
  version_at: 'timestamptz',
  version_hash: 'text',
  deployments_hash: 'text',
} as const;

export async function storeObjects(trx: Transaction, stamped: readonly StampedObject[]): Promise<AcceptedObject[]> {
  if (stamped.length === 0) return [];
  const taken = await insertRows<{ kind: string; key: string }>(trx, {
    table: 'reported_objects',
    types: { ...keyTypes, ...valueTypes },
    rows: stamped.map(({ row }) => row),
    onConflict: sql`on conflict (runtime_id, kind, key) do update set ${takenFromExcluded(Object.keys(valueTypes))}
      where (reported_objects.epoch, reported_objects.sequence) < (excluded.epoch, excluded.sequence)
      returning kind, key`,
  });
  const takenIds = new Set(taken.map(idOf));
  return stamped.flatMap(({ object }) => (takenIds.has(idOf(object)) ? [object] : []));
}

function payloadOf(object: AcceptedObject): string | null {
  if ('application' in object) return JSON.stringify(object.application);
  if ('cluster' in object) return JSON.stringify(object.cluster);
  if ('gitSource' in object) return JSON.stringify(object.gitSource);
  if ('workload' in object) return JSON.stringify(object.workload);
  if ('accessRules' in object) return JSON.stringify(object.accessRules);
  return 'runtime' in object ? JSON.stringify(object.runtime) : null;
}
