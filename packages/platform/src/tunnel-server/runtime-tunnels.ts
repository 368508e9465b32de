// Which runtimes are connected. The sessions of this process are the truth; the table is made to agree with them after
// every change and every few seconds, so that a write that failed is made good. One platform process is assumed.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, errorMessage, everyInterval, Gauge, type Logger, type Registry } from '@fairlead/base';
import { acceptTunnels, TunnelRefusedError, type TunnelSession } from '@fairlead/tunnel';
import { type SqlBool, sql } from 'kysely';
import { AuthError, UnknownRuntimeError, verifyRuntimeToken } from '../auth/index.ts';
import { recordChanges, type Store } from '../store/index.ts';
import { Comebacks } from './comebacks.ts';

interface TunnelDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly registry: Registry;
}

export interface RuntimeTunnels {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Waits a little for a line that was just lost. */
  session(runtimeId: string, signal: AbortSignal): Promise<TunnelSession | undefined>;
  revoke(runtimeId: string): void;
  /** Keeps the table in step until aborted. */
  run(options: { readonly signal: AbortSignal; readonly clock: Clock }): Promise<void>;
  close(): Promise<void>;
}

const agreeEveryMs = 5_000;

export function mountTunnels({ store, log, registry }: TunnelDeps): RuntimeTunnels {
  const open = new Set<string>();
  const comebacks = new Comebacks(store.clock);
  let agreeing: Promise<void> = Promise.resolve();

  const agree = () => {
    agreeing = agreeing
      .then(() => agreeOnConnected(store, [...open]))
      // Also those that were connected to the platform that ran before this one.
      .then((lost) => comebacks.lost(lost))
      .catch((error: unknown) => {
        log.warn({ error: errorMessage(error) }, 'runtime status could not be stored, will retry');
      });
    return agreeing;
  };

  const tunnels = acceptTunnels({
    log,
    clock: store.clock,
    authenticate: (hello) => authenticate(store, hello),
    onSession: (session) => {
      open.add(session.runtimeId);
      comebacks.back(session);
      void agree();
      void session.closed.then(() => {
        if (tunnels.session(session.runtimeId)) return; // a newer session took over
        open.delete(session.runtimeId);
        return agree();
      });
    },
  });

  new Gauge({
    name: 'fairlead_tunnels_open',
    help: 'Runtimes connected by tunnel',
    registers: [registry],
    collect() {
      this.set(tunnels.size);
    },
  });

  return {
    handleUpgrade: (request, socket, head) => tunnels.handleUpgrade(request, socket, head),
    session: async (runtimeId, signal) => tunnels.session(runtimeId) ?? comebacks.wait(runtimeId, signal),
    revoke: (runtimeId) => tunnels.revoke(runtimeId),
    run: ({ signal, clock }) =>
      everyInterval(
        agreeEveryMs,
        () => {
          comebacks.forgetOld();
          return agree();
        },
        { signal, clock },
      ),
    async close() {
      await tunnels.close();
      await agreeing;
    },
  };
}

async function authenticate(
  store: Store,
  { proof, nonce }: { proof: string; nonce: string },
): Promise<{ runtimeId: string }> {
  try {
    return { runtimeId: (await verifyRuntimeToken(proof, { store, nonce })).id };
  } catch (error) {
    // A wrong key or clock may be put right at any time; a runtime that is not known stays unknown.
    const retry = error instanceof UnknownRuntimeError ? 'never' : 'later';
    if (error instanceof AuthError) throw new TunnelRefusedError('not_signed_in', error.message, retry);
    throw error;
  }
}

/** Gives those that are not connected any more. */
async function agreeOnConnected(store: Store, open: readonly string[]): Promise<readonly string[]> {
  const now = new Date(store.clock.now());
  const isOpen = sql<boolean>`(id = any(${open}))`;
  const differs = sql<SqlBool>`connected <> ${isOpen}`;
  const stale = await store.db.selectFrom('runtimes').select('id').where(differs).limit(1).executeTakeFirst();
  if (!stale) return [];
  return store.transaction(async (trx) => {
    const changed = await trx
      .updateTable('runtimes')
      .set({
        connected: isOpen,
        last_heard_at: sql<string>`case when ${isOpen} then ${now}::timestamptz else last_heard_at end`,
      })
      .where(differs)
      .returning(['id', 'account_id', 'name', 'connected'])
      .execute();
    await recordChanges(
      trx,
      changed.map(({ id, account_id: accountId, name }) => ({ accountId, kind: 'runtime', runtimeId: id, key: name })),
      now,
    );
    return changed.filter(({ connected }) => !connected).map(({ id }) => id);
  });
}
