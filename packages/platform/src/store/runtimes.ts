// Runtimes: who may report and act, and when they were last heard.
import type { RuntimeAccess, RuntimePublicKey, RuntimeReport, RuntimeRow } from '@fairlead/contracts';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Transaction } from './database.ts';
import type { Database } from './schema.ts';
import { isVisible, type Sight } from './visibility.ts';

export interface RuntimeRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly publicKey: RuntimePublicKey | null;
  readonly accessMode: RuntimeAccess['mode'];
  /** With the mode `tunnel`: the way that still holds until the tunnel is up. */
  readonly accessUrl: string | null;
}

const record = (db: Kysely<Database>) =>
  db
    .selectFrom('runtimes')
    .select(['id', 'account_id as accountId', 'name', 'public_key as publicKey'])
    .select(['access_mode as accessMode', 'access_url as accessUrl']);

export function runtimeById(db: Kysely<Database>, id: string): Promise<RuntimeRecord | undefined> {
  return record(db).where('id', '=', id).executeTakeFirst();
}

interface RuntimeName {
  readonly accountId: string;
  readonly name: string;
}

export function findRuntime(db: Kysely<Database>, by: RuntimeName): Promise<RuntimeRecord | undefined> {
  return record(db).where('account_id', '=', by.accountId).where('name', '=', by.name).executeTakeFirst();
}

type Selected = SelectQueryBuilder<Database, 'runtimes', object>;

interface RuntimeQuery {
  readonly accountId: string;
  readonly sight: Sight;
}

/** `pick` narrows which runtimes; account and sight always do. Applications that are not seen are not counted. */
export async function runtimeRows(
  db: Kysely<Database>,
  { accountId, sight }: RuntimeQuery,
  pick: (query: Selected) => Selected = (query) => query,
): Promise<RuntimeRow[]> {
  const rows = await pick(db.selectFrom('runtimes'))
    .select(['runtimes.id', 'runtimes.name', 'runtimes.kind', 'runtimes.connected', 'runtimes.created_at as createdAt'])
    .select([
      'runtimes.install',
      'runtimes.install_token_expires_at as installTokenExpiresAt',
      'runtimes.access_mode as mode',
      'runtimes.access_url as url',
      'runtimes.last_heard_at as lastHeardAt',
      sql<boolean>`public_key is not null`.as('registered'),
    ])
    .select(
      sql<number>`(select count(*) from applications where applications.runtime_id = runtimes.id
        and applications.entity = '' and ${isVisible(sight.application)})`.as('applications'),
    )
    .select(
      sql<RuntimeReport | null>`(select payload from reported_objects o
        where o.runtime_id = runtimes.id and o.kind = 'runtime' and o.key = runtimes.name and not o.deleted)`.as(
        'report',
      ),
    )
    .where('runtimes.account_id', '=', accountId)
    .where(isVisible(sight.runtime, 'runtime'))
    .orderBy('runtimes.name')
    .execute();
  return rows.map(
    ({ registered, connected, lastHeardAt, report, install, installTokenExpiresAt, mode, url, id: _, ...row }) => ({
      ...row,
      status: connected ? 'connected' : registered ? 'offline' : 'pending',
      ...(installTokenExpiresAt && !registered ? { installTokenExpiresAt } : {}),
      ...(lastHeardAt ? { lastHeardAt } : {}),
      ...(report ? { report } : {}),
      ...(mode !== 'tunnel' && url !== null ? { access: { mode, url } } : {}),
      ...(install && install.state !== 'installed' ? { install } : {}),
    }),
  );
}

export async function runtimeRow(
  db: Kysely<Database>,
  by: RuntimeName & RuntimeQuery,
): Promise<RuntimeRow | undefined> {
  const [row] = await runtimeRows(db, by, (query) => query.where('runtimes.name', '=', by.name));
  return row;
}

/** Runtimes that are called by a URL. */
export function directRuntimes(db: Kysely<Database>): Promise<RuntimeRecord[]> {
  return record(db).where('access_url', 'is not', null).where('public_key', 'is not', null).orderBy('id').execute();
}

/** To the tunnel: the URL stays until the tunnel is up. */
export async function setRuntimeAccess(
  trx: Transaction,
  runtimeId: string,
  { mode, url }: RuntimeAccess,
): Promise<void> {
  const change = mode === 'tunnel' ? { access_mode: mode } : { access_mode: mode, access_url: url ?? null };
  await trx.updateTable('runtimes').set(change).where('id', '=', runtimeId).execute();
}

/** The tunnel is up: the way that held until then ends. */
export async function forgetOldAccess(db: Kysely<Database>, runtimeId: string): Promise<void> {
  await db
    .updateTable('runtimes')
    .set({ access_url: null })
    .where('id', '=', runtimeId)
    .where('access_mode', '=', 'tunnel')
    .where('access_url', 'is not', null)
    .execute();
}

const heardWithinMs = 1_000;

/** To a second: batches of one runtime would otherwise wait for each other's commit at this row. */
export async function setHeard(trx: Transaction, runtimeId: string, at: Date): Promise<void> {
  const stale = new Date(at.getTime() - heardWithinMs).toISOString();
  await trx
    .updateTable('runtimes')
    .set({ last_heard_at: at })
    .where('id', '=', runtimeId)
    .where((eb) => eb.or([eb('last_heard_at', 'is', null), eb('last_heard_at', '<', stale)]))
    .execute();
}

/** Its reports and rows go with it (foreign keys cascade). */
export async function deleteRuntime(trx: Transaction, runtimeId: string): Promise<void> {
  await trx.deleteFrom('runtimes').where('id', '=', runtimeId).execute();
}
