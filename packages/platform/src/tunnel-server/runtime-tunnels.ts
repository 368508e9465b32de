// Which runtimes are connected, and by which line. The sessions of this process and the runtimes that answer at their URL
// are the truth; the table is made to agree with them after every change and every few seconds, so that a write that failed
// is made good. One platform process is assumed.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, errorMessage, everyInterval, Gauge, type Logger, type Registry } from '@fairlead/base';
import { accessModeRefusal } from '@fairlead/contracts';
import { acceptTunnels, TunnelRefusedError } from '@fairlead/tunnel';
import { type SqlBool, sql } from 'kysely';
import { AuthError, UnknownRuntimeError, verifyRuntimeToken } from '../auth/index.ts';
import type { DirectRuntimes, Line } from '../runtime-access/index.ts';
import { forgetOldAccess, type RuntimeRecord, recordChanges, type Store } from '../store/index.ts';
import { Comebacks } from './comebacks.ts';

interface TunnelDeps {
  readonly store: Store;
  readonly direct: DirectRuntimes;
  readonly log: Logger;
  readonly registry: Registry;
}

export interface RuntimeTunnels {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The way to a runtime, by its mode of access; undefined while there is none. */
  line(runtime: RuntimeRecord): Line | undefined;
  /** The same, and waits a little for a tunnel that was just lost. */
  comingLine(runtime: RuntimeRecord, signal: AbortSignal): Promise<Line | undefined>;
  /** Cuts its tunnel; resolves when that shows. */
  revoke(runtimeId: string): Promise<void>;
  /** The runtime is reached in another way from now on: its tunnel goes once the requests on it are over. */
  retire(runtimeId: string): void;
  /** Looks again at who answers, and makes the table agree. */
  look(options: { readonly signal: AbortSignal }): Promise<void>;
  /** Keeps the table in step until aborted. */
  run(options: { readonly signal: AbortSignal; readonly clock: Clock }): Promise<void>;
  close(): Promise<void>;
}

const agreeEveryMs = 5_000;
/** Longer than any act may take; streams are cut at it. */
const retireWithinMs = 35_000;

export function mountTunnels({ store, direct, log, registry }: TunnelDeps): RuntimeTunnels {
  const open = new Set<string>();
  const comebacks = new Comebacks(store.clock);
  let agreeing: Promise<void> = Promise.resolve();
  let isDue = false;

  /** One that has not begun yet sees all that happened until it does: a thousand runtimes that come at once share it. */
  const agree = () => {
    if (isDue) return agreeing;
    isDue = true;
    agreeing = agreeing
      .then(() => {
        isDue = false;
        return agreeOnConnected(store, [...open, ...direct.reachable]);
      })
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
      forgetOldAccess(store.db, session.runtimeId).catch((error: unknown) => {
        log.warn(
          { runtimeId: session.runtimeId, error: errorMessage(error) },
          'the old way to a runtime is still there',
        );
      });
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

  new Gauge({
    name: 'fairlead_tunnels_unproven',
    help: 'Connections of runtimes in the handshake (underWay) or waiting for their turn, and refused since the start',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(tunnels.unproven)) this.set({ state }, count);
    },
  });

  const look = async ({ signal }: { signal: AbortSignal }) => {
    await direct.look({ signal }).catch((error: unknown) => {
      log.warn({ error: errorMessage(error) }, 'runtimes with a URL could not be asked, will retry');
    });
    await agree();
  };
  const line = (runtime: RuntimeRecord) => {
    const session = runtime.accessMode === 'tunnel' ? tunnels.session(runtime.id) : undefined;
    return session ?? direct.line(runtime);
  };
  return {
    handleUpgrade: (request, socket, head) => tunnels.handleUpgrade(request, socket, head),
    line,
    comingLine: async (runtime, signal) =>
      line(runtime) ?? (runtime.accessMode === 'tunnel' ? comebacks.wait(runtime.id, signal) : undefined),
    revoke(runtimeId) {
      comebacks.revoked(runtimeId);
      tunnels.revoke(runtimeId);
      open.delete(runtimeId);
      return agree();
    },
    retire: (runtimeId) => void tunnels.session(runtimeId)?.retire(retireWithinMs),
    look,
    run: ({ signal, clock }) =>
      everyInterval(
        agreeEveryMs,
        () => {
          comebacks.forgetOld();
          return look({ signal });
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
    const { id, name, accessMode } = await verifyRuntimeToken(proof, { store, nonce });
    if (accessMode !== 'tunnel') {
      const message = `runtime ${name} is reached by ${accessMode}; switch with: fairlead runtime access ${name} --mode tunnel`;
      throw new TunnelRefusedError(accessModeRefusal, message, 'later');
    }
    return { runtimeId: id };
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
