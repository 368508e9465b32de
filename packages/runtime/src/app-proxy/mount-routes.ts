// Every app-proxy route of the contract becomes a path of the server: check the assertion, judge, check the input, handle, answer.
// In that order, so that a stranger learns nothing from the checks.
import {
  type AppProxyRoute,
  type AppProxyRouteName,
  type AssertionClaims,
  appProxyRoutes,
  assertedObject,
  assertionHeader,
  isEventStream,
  type RouteInputChecks,
  routeInputChecks,
} from '@fairlead/contracts';
import type { Context, Hono } from 'hono';
import { providerFailure } from '../git-access/index.ts';
import { engineFailure, ProxyError } from './errors.ts';
import { streamEvents } from './event-stream.ts';
import type { HandlerInput, Handlers } from './handler.ts';
import type { HandlerDeps } from './handlers/index.ts';
import type { Judge } from './judge.ts';
import { judgeWhileOpen } from './judge-while-open.ts';
import { invalidInput, readJson } from './read-input.ts';
import type { ProxyEnv } from './request-context.ts';
import type { AssertionVerifier } from './verify-assertion.ts';

interface MountDeps extends HandlerDeps {
  readonly verifier: AssertionVerifier;
  readonly judge: Judge;
  readonly handlers: Handlers;
}

type AnyHandler = (input: HandlerInput<AppProxyRoute>) => Promise<unknown>;

const actWithinMs = 25_000;

export function mountRoutes(app: Hono<ProxyEnv>, deps: MountDeps): void {
  for (const [name, route] of Object.entries(appProxyRoutes) as [AppProxyRouteName, AppProxyRoute][]) {
    // The table ties each name to its own input; taken together they are one shape to the server.
    const handler = deps.handlers[name] as AnyHandler | undefined;
    if (!handler) throw new Error(`app-proxy route ${name} has no handler`);
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const checks = routeInputChecks(route, invalidInput);
    app.on(route.method, path, async (context) => {
      context.set('act', route.act);
      return serve(context, { route, checks, handler, deps });
    });
  }
}

interface Mounted {
  readonly route: AppProxyRoute;
  readonly checks: RouteInputChecks;
  readonly handler: AnyHandler;
  readonly deps: MountDeps;
}

async function serve(context: Context<ProxyEnv>, { route, checks, handler, deps }: Mounted): Promise<Response> {
  const { log } = deps;
  const given = context.req.param() as Record<string, string>;
  const on = assertedObject(route, given);
  const { user, runtime } = await verified(deps, context.req.header(assertionHeader), { act: route.act, on });
  const gone = new AbortController();
  context.env.outgoing.once('close', () => gone.abort());
  const signal = isEventStream(route) ? gone.signal : AbortSignal.timeout(actWithinMs);
  const judged = { route, params: given, user, runtime };
  await deps.judge.judge({ ...judged, signal });
  const input = {
    params: checks.params(given),
    query: checks.query(context.req.query()),
    body: route.body ? checks.body(await readJson(context)) : undefined,
    user,
    signal,
  };
  const { requestId } = user;
  try {
    // Each part was checked against the schema that the handler's types come from.
    const answer = await handler(input as HandlerInput<AppProxyRoute>);
    if (isEventStream(route)) {
      void judgeWhileOpen(deps, judged, gone);
      return streamEvents(answer as AsyncIterable<unknown>, { requestId, signal: gone.signal });
    }
    if (route.method !== 'GET') log.info({ requestId, act: route.act, on, user: user.name }, 'act done');
    const { status = 200 } = route;
    return status === 204 ? context.body(null, 204) : context.json(answer as object, status);
  } catch (error) {
    throw engineFailure(providerFailure(error));
  }
}

/** A runtime that was registered anew a moment ago is spoken to by its new name before the watch has seen it. */
async function verified(
  { verifier, identity, firstIdentity, refreshedIdentity }: Mounted['deps'],
  assertion: string | undefined,
  claimed: { readonly act: string; readonly on: string },
): Promise<{ readonly user: AssertionClaims; readonly runtime: string }> {
  const own = identity() ?? (assertion === undefined ? undefined : await firstIdentity());
  if (!own) throw new ProxyError('unavailable', 'the runtime is not registered yet');
  try {
    return { user: await verifier.verify(assertion, { identity: own, ...claimed }), runtime: own.runtimeName };
  } catch (error) {
    const now = assertion === undefined ? own : await refreshedIdentity();
    if (now === undefined || now === own) throw error;
    return { user: await verifier.verify(assertion, { identity: now, ...claimed }), runtime: now.runtimeName };
  }
}
