// Another way to a runtime, without installing anything anew. A URL is tried first, as the acts will use it: the runtime
// must accept the platform's word there, so that the URL of another runtime is found out now and not at the next act.
import { FairleadError } from '@fairlead/base';
import { appProxyRoutes, type RuntimeAccess, type RuntimeRow } from '@fairlead/contracts';
import { RuntimeAccessError } from '../../runtime-access/index.ts';
import {
  type Caller,
  type RuntimeRecord,
  recordChanges,
  runtimeRow,
  seesEverything,
  setRuntimeAccess,
  type Transaction,
} from '../../store/index.ts';
import { relayCall } from '../../tunnel-server/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlerDeps } from './deps.ts';

interface Switch {
  readonly runtime: RuntimeRecord;
  readonly body: RuntimeAccess;
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly note: (trx: Transaction) => Promise<unknown>;
}

export async function switchAccess(deps: HandlerDeps, asked: Switch): Promise<RuntimeRow> {
  const { store, tunnels, log } = deps;
  const { runtime, body, signal } = asked;
  const access = await checked(deps, asked);
  const { accountId, id: runtimeId, name } = runtime;
  await store.transaction(async (trx) => {
    await setRuntimeAccess(trx, runtimeId, access);
    await asked.note(trx);
    const change = { accountId, kind: 'runtime', runtimeId, key: name } as const;
    await recordChanges(trx, [change], new Date(store.clock.now()));
  });
  await tunnels.look({ signal });
  if (body.mode !== 'tunnel') tunnels.retire(runtimeId);
  log.info({ runtime: name, mode: body.mode }, 'runtime is reached in another way');
  const row = await runtimeRow(store.db, { accountId, sight: seesEverything, name });
  if (!row) throw new ApiFailure('not_found', `there is no runtime ${name}`);
  return row;
}

async function checked(
  deps: HandlerDeps,
  { runtime, body, caller, requestId, signal }: Switch,
): Promise<RuntimeAccess> {
  const { mode, url } = body;
  if (mode === 'tunnel') {
    if (url !== undefined) throw new ApiFailure('bad_request', 'body field url: the tunnel has none; leave it out');
    return { mode };
  }
  if (url === undefined) {
    throw new ApiFailure('bad_request', `body field url: give the URL of the request router for the mode ${mode}`);
  }
  const { href } = deps.guard.readUrl(url, mode);
  const there = { ...runtime, accessMode: mode, accessUrl: href };
  const call = { route: appProxyRoutes.getSealingKey, params: {}, query: undefined, body: undefined };
  try {
    await relayCall(deps, { ...call, runtime: there, caller, requestId, signal, isTrial: true });
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    if (error.cause instanceof RuntimeAccessError) throw error.cause;
    // One text for refused, silent and strange: what lies behind the URL is nobody's business.
    const message = `url: runtime ${runtime.name} does not answer there; check that it leads to its request router. Nothing was changed`;
    throw new ApiFailure('invalid', message);
  }
  return { mode, url: href };
}
