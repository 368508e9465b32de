// The runtime's own API. Reached through the tunnel or an ingress, always behind the request router; authorises by
// itself and acts through the engine.
import { createServer, type Server } from 'node:http';
import { Counter, type Logger, newId, type Registry, readAll, TooLargeError } from '@fairlead/base';
import {
  type AppProxyRouteName,
  appProxyPrefix,
  appProxyRoutes,
  assertionHeader,
  type Checked,
  checker,
  type RuntimeIdentity,
} from '@fairlead/contracts';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { ArgoCdClient } from '../argo-cd/index.ts';
import { acts } from './acts.ts';
import { engineFailure, failureOf, ProxyError } from './errors.ts';
import type { AssertionVerifier } from './verify-assertion.ts';

interface AppProxyDeps {
  readonly engine: ArgoCdClient;
  readonly verifier: AssertionVerifier;
  /** Undefined until the runtime is registered. */
  readonly identity: () => RuntimeIdentity | undefined;
  readonly registry: Registry;
  readonly log: Logger;
}

interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: { requestId: string };
}

const maxBodyBytes = 1024 * 1024;
const actWithinMs = 25_000;

export function createAppProxy(deps: AppProxyDeps): Server {
  const { registry, log } = deps;
  const counter = new Counter({
    name: 'fairlead_app_proxy_acts_total',
    help: 'Acts by verb and outcome (HTTP status)',
    labelNames: ['act', 'status'],
    registers: [registry],
  });
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    context.set('requestId', context.req.header('x-request-id')?.slice(0, 100) ?? newId('req'));
    await next();
  });
  app.get('/healthz', (context) => context.text('ok'));
  app.get(`${appProxyPrefix}/healthz`, (context) => context.text('ok'));
  app.get('/readyz', (context) =>
    deps.identity() ? context.text('ok') : context.text('the runtime is not registered yet', 503),
  );
  app.get('/metrics', async (context) => {
    context.header('content-type', registry.contentType);
    return context.body(await registry.metrics());
  });
  for (const name of Object.keys(appProxyRoutes) as AppProxyRouteName[]) {
    const count = (status: number) => counter.inc({ act: appProxyRoutes[name].act, status });
    mountAct(app, name, { ...deps, count });
  }
  app.notFound(() => {
    throw new ProxyError('not_found', 'the app-proxy has no such route');
  });
  app.onError((error, context) => {
    const requestId = context.get('requestId');
    const { status, body, hidden } = failureOf(error, requestId);
    log[status >= 500 ? 'warn' : 'info']({ requestId, code: body.code, reason: hidden ?? body.message }, 'act refused');
    return context.json(body, status as 400); // hono types statuses one by one; the table holds only error statuses
  });
  return createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
}

interface Mounting extends AppProxyDeps {
  readonly count: (status: number) => void;
}

function mountAct(app: Hono<Env>, name: AppProxyRouteName, deps: Mounting): void {
  const { engine, verifier, identity, log, count } = deps;
  const route = appProxyRoutes[name];
  const checkBody: ((value: unknown) => Checked<unknown>) | undefined =
    'body' in route ? checker(route.body) : undefined;
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.use(path, async (context, next) => {
    await next();
    count(context.res.status);
  });
  app.on(route.method, path, async (context) => {
    const own = identity();
    if (!own) throw new ProxyError('unavailable', 'the runtime is not registered yet');
    const { namespace = '', name: application = '' } = context.req.param() as Record<string, string>;
    const on = `${namespace}/${application}`;
    const token = context.req.header(assertionHeader);
    const claims = await verifier.verify(token, { identity: own, act: route.act, on });
    const body = await readBody(context, checkBody);
    const by = claims.email ? `${claims.name} <${claims.email}>` : claims.name;
    const signal = AbortSignal.timeout(actWithinMs);
    try {
      const receipt = await acts[name](engine, { app: { namespace, name: application }, body, by, signal });
      const { requestId } = claims;
      log.info({ requestId, act: route.act, on, user: claims.name }, 'act done');
      return context.json(receipt, route.status);
    } catch (error) {
      throw engineFailure(error);
    }
  });
}

async function readBody(
  context: Context<Env>,
  check: ((value: unknown) => Checked<unknown>) | undefined,
): Promise<unknown> {
  if (!check) return undefined;
  const parsed = parseJson(await readText(context));
  const checked = check(parsed);
  if (checked.ok) return checked.value;
  const [problem] = checked.problems;
  throw new ProxyError('bad_request', `body field ${problem?.field}: ${problem?.reason}`);
}

async function readText(context: Context<Env>): Promise<string> {
  try {
    return (await readAll(context.req.raw.body, { maxBytes: maxBodyBytes })).toString('utf8');
  } catch (error) {
    if (error instanceof TooLargeError) throw new ProxyError('too_large', error.message);
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch {
    throw new ProxyError('bad_request', 'the body is not JSON');
  }
}
