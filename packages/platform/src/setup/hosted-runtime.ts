// The hosted runtime of an account: a person asks for it, the provisioner makes it so and tells how far it is.
import { FairleadError, newId } from '@fairlead/base';
import type { HostedInstall } from '@fairlead/contracts';
import type { Kysely } from 'kysely';
import { type Database, recordChanges, type Store, type Transaction } from '../store/index.ts';

export interface HostedRuntime {
  readonly name: string;
  readonly install: HostedInstall;
}

type Noting = (trx: Transaction) => Promise<void>;

class HostedExistsError extends FairleadError {
  constructor(name: string) {
    super('conflict', `the account has a hosted runtime already: ${name}; there can be one`);
  }
}

export async function requestHosted(
  store: Store,
  { accountId, name, note }: { accountId: string; name: string; note: Noting },
): Promise<HostedRuntime> {
  const now = new Date(store.clock.now());
  const at = now.toISOString();
  const install: HostedInstall = { state: 'requested', steps: [], requestedAt: at, updatedAt: at };
  return store.transaction(async (trx) => {
    const known = await trx
      .selectFrom('runtimes')
      .select(['id', 'name', 'kind', 'public_key', 'install'])
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('kind', '=', 'hosted'), eb('name', '=', name)]))
      .orderBy('created_at')
      .forUpdate()
      .executeTakeFirst();
    if (known?.public_key || (known && known.name !== name)) throw new HostedExistsError(known.name);
    // Asking twice is asking once: what is under way goes on.
    if (known?.install && known.install.state !== 'failed') return { name, install: known.install };
    const id = known?.id ?? newId('rt');
    await trx
      .insertInto('runtimes')
      .values({
        id,
        account_id: accountId,
        name,
        kind: 'hosted',
        connected: false,
        created_at: now,
        install: JSON.stringify(install),
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ kind: 'hosted', install: JSON.stringify(install) }))
      .execute();
    await note(trx);
    await recordChanges(trx, [{ accountId, kind: 'runtime', runtimeId: id, key: name }], now);
    return { name, install };
  });
}

/** Those that were asked for, and those that registered without (as on a laptop). */
export async function hostedRuntimes(db: Kysely<Database>, accountId: string): Promise<HostedRuntime[]> {
  const rows = await db
    .selectFrom('runtimes')
    .select(['name', 'install', 'public_key', 'created_at'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'hosted')
    .orderBy('name')
    .execute();
  return rows.flatMap(({ name, install, public_key: key, created_at: at }) => {
    if (install) return [{ name, install: key ? { ...install, state: 'installed' as const } : install }];
    if (!key) return []; // made known by hand; whoever did so installs it
    return [{ name, install: { state: 'installed' as const, steps: [], requestedAt: at, updatedAt: at } }];
  });
}

export async function recordProgress(
  store: Store,
  {
    accountId,
    name,
    progress,
  }: { accountId: string; name: string; progress: Pick<HostedInstall, 'state' | 'steps' | 'message'> },
): Promise<boolean> {
  const now = new Date(store.clock.now());
  return store.transaction(async (trx) => {
    const known = await trx
      .selectFrom('runtimes')
      .select(['id', 'install'])
      .where('account_id', '=', accountId)
      .where('name', '=', name)
      .where('kind', '=', 'hosted')
      .forUpdate()
      .executeTakeFirst();
    if (!known) return false;
    const requestedAt = known.install?.requestedAt ?? now.toISOString();
    const install: HostedInstall = { ...progress, requestedAt, updatedAt: now.toISOString() };
    await trx
      .updateTable('runtimes')
      .set({ install: JSON.stringify(install) })
      .where('id', '=', known.id)
      .execute();
    await recordChanges(trx, [{ accountId, kind: 'runtime', runtimeId: known.id, key: name }], now);
    return true;
  });
}
