// May this user call this route. What is denied is written into the audit log before the answer leaves.
// Applications: their rights are looked at where the application is read, since only there it is known.
import type { KeyScope, Route } from '@fairlead/contracts';
import { appendAudit } from '../audit/index.ts';
import type { Caller, Store } from '../store/index.ts';
import { ApiFailure } from './failure.ts';

interface AuthoriseDeps {
  readonly store: Store;
  readonly requestId: string;
}

interface Wish {
  readonly name: string;
  readonly route: Route;
  readonly caller: Caller;
}

/** Throws `forbidden` with the reason. */
export async function authorise(deps: AuthoriseDeps, wish: Wish): Promise<void> {
  const reason = refusal(wish.route, wish.caller);
  if (reason === undefined) return;
  await noteDenial(deps, wish, reason);
  throw new ApiFailure('forbidden', reason);
}

export async function noteDenial(
  { store, requestId }: AuthoriseDeps,
  { name, route, caller }: Wish,
  reason: string,
): Promise<void> {
  const now = new Date(store.clock.now());
  const entity = { kind: 'route', name: route.path };
  const note = { action: name, entity, outcome: 'denied', details: { reason } } as const;
  await store.transaction((trx) => appendAudit(trx, { caller, requestId, now }, note));
}

function refusal(route: Route, { user, scopes }: Caller): string | undefined {
  if (route.needs === 'admin' && user.role !== 'admin') return 'only an administrator of the account may do this';
  const scope = scopeOf(route);
  if (scopes && !scopes.includes(scope)) return `this API key may not be used for this: it lacks the scope ${scope}`;
  return undefined;
}

function scopeOf({ method, needs }: Route): KeyScope {
  if (needs === 'admin') return 'admin';
  return method === 'GET' ? 'read' : 'act';
}
