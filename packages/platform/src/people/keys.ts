// API keys. The key itself leaves once, in the answer to whoever made it; the table holds its hash.
import { newId, randomToken, sha256Hex } from '@fairlead/base';
import type { ApiKeyRow, KeyScope } from '@fairlead/contracts';
import type { Kysely } from 'kysely';
import type { Database, Transaction } from '../store/index.ts';
import { PeopleConflictError, UnknownPersonError } from './errors.ts';

/** Keys of an account, or of one user of it. */
interface KeyOwner {
  readonly accountId: string;
  readonly userId?: string | undefined;
}

function rows(db: Kysely<Database>, { accountId, userId }: KeyOwner) {
  const select = db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.name', 'users.name as user', 'api_keys.prefix', 'api_keys.scopes'])
    .select(['api_keys.created_at as createdAt', 'api_keys.expires_at as expiresAt'])
    .select(['api_keys.last_used_at as lastUsedAt', 'api_keys.revoked_at as revokedAt'])
    .where('users.account_id', '=', accountId)
    .orderBy('users.name')
    .orderBy('api_keys.name');
  return userId === undefined ? select : select.where('users.id', '=', userId);
}

type Optional = 'expiresAt' | 'lastUsedAt' | 'revokedAt';
type Read = Omit<ApiKeyRow, Optional> & { readonly [K in Optional]: string | null };

const toRow = ({ expiresAt, lastUsedAt, revokedAt, ...row }: Read): ApiKeyRow => ({
  ...row,
  ...(expiresAt ? { expiresAt } : {}),
  ...(lastUsedAt ? { lastUsedAt } : {}),
  ...(revokedAt ? { revokedAt } : {}),
});

export async function listKeys(db: Kysely<Database>, owner: KeyOwner): Promise<ApiKeyRow[]> {
  return (await rows(db, owner).execute()).map(toRow);
}

interface NewKey {
  readonly accountId: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly expiresAt: Date | null;
  readonly now: Date;
}

/** A revoked key of the same name makes room. */
export async function addKey(trx: Transaction, given: NewKey): Promise<{ key: string; row: ApiKeyRow }> {
  const key = `flk_${randomToken()}`;
  const values = {
    key_hash: sha256Hex(key),
    prefix: key.slice(0, 10),
    scopes: JSON.stringify(given.scopes),
    created_at: given.now,
    expires_at: given.expiresAt,
    last_used_at: null,
    revoked_at: null,
  };
  const id = newId('key');
  const added = await trx
    .insertInto('api_keys')
    .values({ id, user_id: given.userId, name: given.name, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'name'])
        .doUpdateSet({ id, ...values })
        .where('api_keys.revoked_at', 'is not', null),
    )
    .returning('id')
    .executeTakeFirst();
  if (!added)
    throw new PeopleConflictError(`there is an API key named ${given.name} already; choose another name`, 'name');
  const row = await rows(trx, given).where('api_keys.id', '=', id).executeTakeFirstOrThrow();
  return { key, row: toRow(row) };
}

/** Gives the key that was revoked; one of another owner is not there. */
export async function revokeKey(
  trx: Transaction,
  { id, now, ...owner }: KeyOwner & { readonly id: string; readonly now: Date },
): Promise<ApiKeyRow> {
  const found = await rows(trx, owner).where('api_keys.id', '=', id).executeTakeFirst();
  if (!found) throw new UnknownPersonError(`API key ${id}`);
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
  return toRow(found);
}
