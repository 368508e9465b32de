// Signing in as Argo CD's clients do, and accounts: who there is, their tokens, and what the caller may do.
import { stringAt, valueAt } from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { type Account, actions, IdentityError, issuer, projectScoped, resources } from '../access/index.ts';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { demand, may } from './authorize.ts';
import { jsonBody } from './read-body.ts';

const cookie = { httpOnly: true, sameSite: 'Lax', path: '/' } as const;

/** Needs no token. */
export function sessionRoutes({ identities }: ApiDeps): Hono {
  const api = new Hono();
  api.post('/', async (context) => {
    const body = await jsonBody(context);
    const signIn = identities.signIn(stringAt(body, 'username') ?? '', stringAt(body, 'password') ?? '');
    const token = await signIn.catch(answerIdentity);
    setCookie(context, 'argocd.token', token, cookie);
    return context.json({ token });
  });
  api.delete('/', (context) => {
    deleteCookie(context, 'argocd.token', cookie);
    return context.json({ token: '' });
  });
  return api;
}

export const userInfo =
  ({ access }: ApiDeps) =>
  (context: Context): Response => {
    const caller = context.get('caller');
    const groups = access.groupsOf(caller);
    return context.json({
      loggedIn: true,
      username: caller.subject,
      iss: issuer,
      ...(groups.length > 0 ? { groups } : {}),
    });
  };

export function accountRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  const { identities } = deps;
  /** Everybody may see and change their own account. */
  const isOwn = (context: Context, name: string) => context.get('caller').subject === name;
  const wish = (action: string, name: string) => ({ resource: 'accounts', action, object: name }) as const;
  const check = (context: Context, action: string) => {
    const name = context.req.param('name') ?? '';
    if (!isOwn(context, name)) demand(deps, context, wish(action, name));
    return name;
  };

  api.get('/', (context) => {
    const seen = identities
      .accounts()
      .filter(({ name }) => isOwn(context, name) || may(deps, context, wish('get', name)));
    return context.json({ items: seen.map(viewOf) });
  });
  api.get('/can-i/:resource/:action/:object{.+}', (context) => context.json({ value: canI(deps, context) }));
  api.get('/can-i/:resource/:action', (context) => context.json({ value: canI(deps, context) }));
  api.get('/:name', (context) => {
    const name = check(context, 'get');
    const found = identities.accounts().find((account) => account.name === name);
    if (!found) throw new ArgoError('NotFound', `account '${name}' does not exist`);
    return context.json(viewOf(found));
  });
  api.post('/:name/token', async (context) => {
    const name = check(context, 'update');
    const body = await jsonBody(context, {});
    const issued = identities.issueAccountToken(name, stringAt(body, 'id') ?? '', secondsIn(body));
    return context.json({ token: await issued.catch(answerIdentity) });
  });
  api.delete('/:name/token/:id', async (context) => {
    const name = check(context, 'update');
    await identities.revokeAccountToken(name, context.req.param('id')).catch(answerIdentity);
    return context.json({});
  });
  return api;
}

function viewOf({ name, enabled, capabilities, tokens }: Account): object {
  const newest = tokens.toSorted((a, b) => b.iat - a.iat);
  const views = newest.map(({ id, iat, exp }) => ({
    id,
    issuedAt: String(iat),
    ...(exp ? { expiresAt: String(exp) } : {}),
  }));
  return { name, enabled, capabilities, ...(views.length > 0 ? { tokens: views } : {}) };
}

/** `expiresIn`, in seconds; whole numbers arrive as numbers or, from protobuf's JSON, as text. */
export function secondsIn(body: unknown): number {
  const seconds = Number(valueAt(body, 'expiresIn') ?? 0);
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds;
  throw new ArgoError('InvalidArgument', 'expiresIn: must be a whole number of seconds, 0 or more');
}

export function answerIdentity(error: unknown): never {
  if (!(error instanceof IdentityError)) throw error;
  const codes = { unknown: 'Unauthenticated', missing: 'NotFound', invalid: 'InvalidArgument' } as const;
  throw new ArgoError(codes[error.why], error.message);
}

function canI(deps: ApiDeps, context: Context): 'yes' | 'no' {
  const { action = '', object = '' } = context.req.param() as { action?: string; object?: string };
  const resource = resources.find((known) => known === context.req.param('resource'));
  if (!actions.some((known) => known === action)) {
    throw new ArgoError('InvalidArgument', `[${actions.join(' ')}] does not contain ${action}`);
  }
  if (!resource) {
    throw new ArgoError(
      'InvalidArgument',
      `[${resources.join(' ')}] does not contain ${context.req.param('resource')}`,
    );
  }
  const [project = '', namespace, name, ...rest] = object.split('/');
  const isOwnNamespace = projectScoped.includes(resource) && namespace === deps.namespace && name && rest.length === 0;
  const asked = isOwnNamespace ? `${project}/${name}` : object;
  return may(deps, context, { resource, action, object: asked }) ? 'yes' : 'no';
}
