// The runtime's own API. Reached through the tunnel or an ingress, always behind the request router; authorises by
// itself and acts through the engine and through Git.
import { createServer, type Server } from 'node:http';
import { Counter, newId, type Registry } from '@fairlead/base';
import { appProxyPrefix } from '@fairlead/contracts';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { versionHeaders } from '../version.ts';
import { failureOf, ProxyError } from './errors.ts';
import { createHandlers, type HandlerDeps } from './handlers/index.ts';
import type { Judge } from './judge.ts';
import { mountRoutes } from './mount-routes.ts';
import type { ProxyEnv } from './request-context.ts';
import type { AssertionVerifier } from './verify-assertion.ts';

interface AppProxyDeps extends HandlerDeps {
  readonly verifier: AssertionVerifier;
  readonly judge: Judge;
  readonly registry: Registry;
}

export function createAppProxy(deps: AppProxyDeps): Server {
  const { registry, log } = deps;
  const counter = new Counter({
    name: 'fairlead_app_proxy_acts_total',
    help: 'Acts by verb and outcome (HTTP status)',
    labelNames: ['act', 'status'],
    registers: [registry],
  });
  const app = new Hono<ProxyEnv>();
  app.use(async (context, next) => {
    context.set('requestId', context.req.header('x-request-id')?.slice(0, 100) ?? newId('req'));
    context.set('act', '-');
    await next();
    const act = context.get('act');
    if (act !== '-') counter.inc({ act, status: context.res.status });
  });
  app.get('/healthz', (context) => context.text('ok', 200, versionHeaders));
  app.get(`${appProxyPrefix}/healthz`, (context) => context.text('ok'));
  app.get('/readyz', (context) =>
    deps.identity()
      ? context.text('ok', 200, versionHeaders)
      : context.text('the runtime is not registered yet', 503, versionHeaders),
  );
  app.get('/metrics', async (context) => {
    context.header('content-type', registry.contentType);
    return context.body(await registry.metrics());
  });
  mountRoutes(app, { ...deps, handlers: createHandlers(deps) });
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
