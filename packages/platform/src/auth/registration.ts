// A runtime becomes known in two steps: a person makes it and gets a one-time install token; the runtime exchanges the
// token for an identity by bringing the public half of a key that it made itself.
import { FairleadError, newId, randomToken, sha256Hex } from '@fairlead/base';
import type { RuntimePublicKey } from '@fairlead/contracts';
import { type ChangeKey, findRuntime, type RuntimeRecord, recordChanges, type Store } from '../store/index.ts';

const tokenLivesMs = 24 * 3_600_000;

interface NewRuntime {
  readonly accountId: string;
  readonly name: string;
  readonly kind: 'hosted' | 'hybrid';
}

class RuntimeExistsError extends FairleadError {
  constructor(name: string) {
    super('conflict', `a runtime named ${name} is registered already; delete it first to install it anew`);
  }
}

/** For a new runtime, or one that has not registered yet: an older token of it stops working. */
export async function createInstallToken(
  store: Store,
  { accountId, name, kind }: NewRuntime,
): Promise<{ installToken: string; expiresAt: string }> {
  const installToken = `flr_${randomToken()}`;
  const now = new Date(store.clock.now());
  const expiresAt = new Date(now.getTime() + tokenLivesMs).toISOString();
  const token = { kind, install_token_hash: sha256Hex(installToken), install_token_expires_at: expiresAt };
  await store.transaction(async (trx) => {
    const stored = await trx
      .insertInto('runtimes')
      .values({ id: newId('rt'), account_id: accountId, name, connected: false, created_at: now, ...token })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'name']).doUpdateSet(token).where('runtimes.public_key', 'is', null),
      )
      .returning('id')
      .executeTakeFirst();
    if (!stored) throw new RuntimeExistsError(name);
    await recordChanges(trx, [runtimeChange({ id: stored.id, accountId, name })], now);
  });
  return { installToken, expiresAt };
}

/** Undefined when the token is unknown, used or expired. Again with the same key, within the token's life: the same. */
export async function registerRuntime(
  store: Store,
  { installToken, publicKey }: { installToken: string; publicKey: RuntimePublicKey },
): Promise<RuntimeRecord | undefined> {
  const now = new Date(store.clock.now());
  return store.transaction(async (trx) => {
    const found = await trx
      .selectFrom('runtimes')
      .select(['id', 'account_id', 'name', 'public_key'])
      .where('install_token_hash', '=', sha256Hex(installToken))
      .where('install_token_expires_at', '>', now.toISOString())
      .forUpdate()
      .executeTakeFirst();
    if (!found || (found.public_key && found.public_key.x !== publicKey.x)) return undefined;
    await trx
      .updateTable('runtimes')
      .set({ public_key: JSON.stringify(publicKey) })
      .where('id', '=', found.id)
      .execute();
    await recordChanges(trx, [runtimeChange({ id: found.id, accountId: found.account_id, name: found.name })], now);
    return findRuntime(trx, { accountId: found.account_id, name: found.name });
  });
}

const runtimeChange = (runtime: { id: string; accountId: string; name: string }): ChangeKey => ({
  accountId: runtime.accountId,
  kind: 'runtime',
  runtimeId: runtime.id,
  key: runtime.name,
});
