// The list of what changed, in commit order; the live feed reads it and it forgets after a while.
import { type Kysely, sql } from 'kysely';
import type { Store, Transaction } from './database.ts';
import { insertRows } from './insert-rows.ts';
import type { AttributesBefore, Database } from './schema.ts';

export interface ChangeKey {
  readonly accountId: string;
  readonly kind: 'application' | 'runtime' | 'cluster' | 'git-source' | 'access' | 'notification';
  readonly runtimeId: string;
  readonly key: string;
  readonly before?: AttributesBefore | undefined;
}

export interface StoredChange extends Omit<ChangeKey, 'before'> {
  readonly id: number;
  readonly before: AttributesBefore | null;
}

export const changesChannel = 'fairlead_changes';
/** Serialises "take a number" and "commit", so that a reader that has seen number n will never find a smaller one new. */
const orderLock = 7_209_173;

/** Must be the last statement of its transaction: the lock it takes is held until the commit. */
export async function recordChanges(trx: Transaction, changes: readonly ChangeKey[], at: Date): Promise<void> {
  if (changes.length === 0) return;
  await sql`select pg_advisory_xact_lock(${orderLock}), pg_notify(${changesChannel}, '')`.execute(trx);
  await insertRows(trx, { table: 'changes', types: columnTypes, rows: changes.map((change) => row(change, at)) });
}

const columnTypes = {
  account_id: 'text',
  kind: 'text',
  runtime_id: 'text',
  key: 'text',
  at: 'timestamptz',
  before: 'jsonb',
} as const;

const row = ({ accountId, kind, runtimeId, key, before }: ChangeKey, at: Date) => ({
  account_id: accountId,
  kind,
  runtime_id: runtimeId,
  key,
  at,
  before: before ? JSON.stringify(before) : null,
});

/** Who may see what is different now; as with all changes, the last statement of its transaction. */
export const recordAccessChange = (trx: Transaction, accountId: string, at: Date): Promise<void> =>
  recordChanges(trx, [{ accountId, kind: 'access', runtimeId: '', key: '' }], at);

interface AfterQuery {
  readonly after: number;
  readonly limit: number;
  readonly accountId?: string;
}

export async function changesAfter(db: Kysely<Database>, query: AfterQuery): Promise<StoredChange[]> {
  let select = db
    .selectFrom('changes')
    .select(['id', 'account_id as accountId', 'kind', 'runtime_id as runtimeId', 'key', 'before'])
    .where('id', '>', query.after)
    .orderBy('id')
    .limit(query.limit);
  if (query.accountId !== undefined) select = select.where('account_id', '=', query.accountId);
  return select.execute();
}

/** The last number whose change can be seen: none that is taken and not committed yet lies below it. */
export async function newestChange(store: Store): Promise<number> {
  return store.transaction(async (trx) => {
    await sql`select pg_advisory_xact_lock_shared(${orderLock})`.execute(trx);
    return lastNumber(trx);
  });
}

/** The first number that can still be read; one more than the last if none can. */
export async function oldestChange(db: Kysely<Database>): Promise<number> {
  const { oldest } = await db
    .selectFrom('changes')
    .select(({ fn }) => fn.min<number | null>('id').as('oldest'))
    .executeTakeFirstOrThrow();
  return oldest ?? (await lastNumber(db)) + 1;
}

async function lastNumber(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select case when is_called then last_value else 0 end as last from changes_id_seq`.execute(db);
  return rows[0]?.last ?? 0;
}

export async function pruneChanges(db: Kysely<Database>, olderThan: Date): Promise<void> {
  await db.deleteFrom('changes').where('at', '<', olderThan.toISOString()).execute();
}
