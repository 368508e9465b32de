// A runtime becomes known in two steps: a person makes it and gets a one-time install token; the runtime exchanges the
// token for an identity by bringing the public half of a key that it made itself.
import { FairleadError, newId, randomToken, sha256Hex } from '@fairlead/base';
import type { RuntimePublicKey } from '@fairlead/contracts';
import {
  type ChangeKey,
  findRuntime,
  type RuntimeRecord,
  recordChanges,
  type Store,
  type Transaction,
} from '../store/index.ts';

const tokenLivesMs = 24 * 3_600_000;

interface NewRuntime {
  readonly accountId: string;
  readonly name: string;
  readonly kind: 'hosted' | 'hybrid';
  readonly note: Noting;
}

/** Writes what happened into the audit log, in the same transaction. */
type Noting = (trx: Transaction) => Promise<void>;

class RuntimeExistsError extends FairleadError {
  constructor(name: string) {
    super('conflict', `a runtime named ${name} is registered already; delete it first to install it anew`);
  }
}

class OtherRuntimeError extends FairleadError {
  constructor(owner: string, name: string) {
    super('conflict', `the install token is of runtime ${owner}, not of ${name}; install it under that name`);
  }
}

/** For a new runtime, or one that has not registered yet: an older token of it stops working. */
export async function createInstallToken(
  store: Store,
  { accountId, name, kind, note }: NewRuntime,
): Promise<{ installToken: string; expiresAt: string }> {
  const now = new Date(store.clock.now());
  const { installToken, expiresAt, columns } = newToken(now);
  const token = { kind, ...columns };
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
    await note(trx);
    await recordChanges(trx, [runtimeChange({ id: stored.id, accountId, name })], now);
  });
  return { installToken, expiresAt };
}

function newToken(now: Date) {
  const installToken = `flr_${randomToken()}`;
  const expiresAt = new Date(now.getTime() + tokenLivesMs).toISOString();
  const columns = { install_token_hash: sha256Hex(installToken), install_token_expires_at: expiresAt };
  return { installToken, expiresAt, columns };
}

interface KnownRuntime {
  readonly runtime: RuntimeRecord;
  readonly note: Noting;
}

/** A token that may replace the key of a registered runtime; the old key works until it is used. */
export async function rotateInstallToken(
  store: Store,
  { runtime, note }: KnownRuntime,
): Promise<{ installToken: string; expiresAt: string }> {
  const { installToken, expiresAt, columns } = newToken(new Date(store.clock.now()));
  await store.transaction(async (trx) => {
    await trx
      .updateTable('runtimes')
      .set({ ...columns, rotating: true })
      .where('id', '=', runtime.id)
      .execute();
    await note(trx);
  });
  return { installToken, expiresAt };
}

/** Neither key nor token work any more. What it reported stays; a new install token brings it back. */
export async function revokeRuntimeKey(store: Store, { runtime, note }: KnownRuntime): Promise<void> {
  await store.transaction(async (trx) => {
    await trx
      .updateTable('runtimes')
      .set({ public_key: null, install_token_hash: null, install_token_expires_at: null, rotating: false })
      .where('id', '=', runtime.id)
      .execute();
    await note(trx);
    await recordChanges(trx, [runtimeChange(runtime)], new Date(store.clock.now()));
  });
}

interface Registration {
  readonly installToken: string;
  readonly publicKey: RuntimePublicKey;
  /** Undefined: whichever runtime the token is of. */
  readonly runtimeName?: string | undefined;
  readonly note: (trx: Transaction, runtime: { id: string; accountId: string; name: string }) => Promise<void>;
}

/** Undefined when the token is unknown, used or expired. Again with the same key, within the token's life: the same. */
export async function registerRuntime(
  store: Store,
  { installToken, publicKey, runtimeName, note }: Registration,
): Promise<RuntimeRecord | undefined> {
  const now = new Date(store.clock.now());
  return store.transaction(async (trx) => {
    const found = await trx
      .selectFrom('runtimes')
      .select(['id', 'account_id', 'name', 'public_key', 'rotating'])
      .where('install_token_hash', '=', sha256Hex(installToken))
      .where('install_token_expires_at', '>', now.toISOString())
      .forUpdate()
      .executeTakeFirst();
    const isOther = found?.public_key && found.public_key.x !== publicKey.x;
    if (!found || (isOther && !found.rotating)) return undefined;
    if (runtimeName !== undefined && runtimeName !== found.name) throw new OtherRuntimeError(found.name, runtimeName);
    await trx
      .updateTable('runtimes')
      .set({ public_key: JSON.stringify(publicKey), rotating: false })
      .where('id', '=', found.id)
      .execute();
    const runtime = { id: found.id, accountId: found.account_id, name: found.name };
    await note(trx, runtime);
    await recordChanges(trx, [runtimeChange(runtime)], now);
    return findRuntime(trx, runtime);
  });
}

const runtimeChange = (runtime: { id: string; accountId: string; name: string }): ChangeKey => ({
  accountId: runtime.accountId,
  kind: 'runtime',
  runtimeId: runtime.id,
  key: runtime.name,
});
