// The first account: there when the platform first starts, so that somebody can sign in at all.
import { readFile } from 'node:fs/promises';
import { ConfigError, newId, sha256Hex } from '@fairlead/base';
import type { Store, Transaction } from '../store/index.ts';

const accountName = 'local';
const userName = 'admin';
const keyName = 'bootstrap';
const minKeyLength = 16;

/** Makes account `local` and user `admin` once; the key in `apiKeyFile` becomes the admin's, replacing an older one. */
export async function bootstrapAccount(
  store: Store,
  { apiKeyFile }: { apiKeyFile: string | undefined },
): Promise<void> {
  const key = apiKeyFile === undefined ? undefined : await readKey(apiKeyFile);
  const now = new Date(store.clock.now());
  await store.transaction(async (trx) => {
    const userId = await ensureAdmin(trx, now);
    if (key === undefined) return;
    const values = { key_hash: sha256Hex(key), prefix: key.slice(0, 6), created_at: now, revoked_at: null };
    await trx
      .insertInto('api_keys')
      .values({ id: newId('key'), user_id: userId, name: keyName, ...values })
      .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet(values))
      .execute();
  });
}

async function ensureAdmin(trx: Transaction, now: Date): Promise<string> {
  await trx
    .insertInto('accounts')
    .values({ id: newId('acc'), name: accountName, created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { id: accountId } = await trx
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', accountName)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('users')
    .values({ id: newId('user'), account_id: accountId, name: userName, email: null, role: 'admin', created_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .execute();
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', userName)
    .executeTakeFirstOrThrow();
  return user.id;
}

async function readKey(file: string): Promise<string> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new ConfigError(`the API key file ${file} cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
  if (text.length < minKeyLength)
    throw new ConfigError(`the API key in ${file} is shorter than ${minKeyLength} letters`);
  return text;
}
