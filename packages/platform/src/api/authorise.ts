// May this user call this route. What is denied is written into the audit log before the answer leaves.
// One place decides for every route: what the route needs, then what access rules say of the application, runtime, cluster
// or Git Source in its path.
import {
  type ApplicationId,
  adminsOnly,
  applicationActions,
  deniedWords,
  type KeyScope,
  namedIn,
  type Route,
} from '@fairlead/contracts';
import type { Access } from '../access/index.ts';
import { appendAudit } from '../audit/index.ts';
import type { Caller, Store } from '../store/index.ts';
import { ApiFailure } from './failure.ts';
import { unknownApplication, unknownNamed } from './handlers/unknown.ts';

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

interface WishOnObject extends Wish {
  readonly params: unknown;
}

/** Throws `not_found` for what the caller may not view, `forbidden` with the rule's name for an act that is denied. */
export async function authoriseObject(
  deps: AuthoriseDeps & { readonly access: Access },
  { params, ...wish }: WishOnObject,
): Promise<void> {
  const action = applicationActions.find((known) => known === wish.route.needs);
  if (action === undefined) {
    for (const named of namedIn(wish.route.needs, (params ?? {}) as Readonly<Record<string, string>>)) {
      const { allowed } = await deps.access.decideNamed(wish.caller, named);
      if (!allowed) throw unknownNamed(named);
    }
    return;
  }
  const id = params as ApplicationId; // a route that needs an action names an application in its path
  const decision = await deps.access.decide(wish.caller, action, id);
  if (decision?.allowed) return;
  const name = `${id.runtime}/${id.namespace}/${id.name}`;
  if (decision) {
    const message = deniedWords(action, id, decision);
    await noteDenial(deps, wish, message);
    throw new ApiFailure('forbidden', message, decision.rule === undefined ? {} : { rule: decision.rule });
  }
  if (action !== 'VIEW') await noteDenial(deps, wish, `${action} of application ${name}, which is not there or hidden`);
  throw unknownApplication(id);
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
  if (route.needs === 'admin' && user.role !== 'admin') return adminsOnly;
  const scope = scopeOf(route);
  if (scopes && !scopes.includes(scope)) return `this API key may not be used for this: it lacks the scope ${scope}`;
  return undefined;
}

function scopeOf({ method, needs }: Route): KeyScope {
  if (needs === 'admin') return 'admin';
  return method === 'GET' ? 'read' : 'act';
}
