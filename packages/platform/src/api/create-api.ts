// The platform's HTTP server: the routes of the contract, the live feed, the tunnel's upgrade, probes, and the web UI.
import { createServer, type Server } from 'node:http';
import { type Clock, Counter, Histogram, type Logger, newId, type Registry } from '@fairlead/base';
import { livePath, routes, tunnelPath } from '@fairlead/contracts';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { type AuthenticateUser, userAuthentication } from '../auth/index.ts';
import type { LiveHub } from '../live/index.ts';
import type { Store } from '../store/index.ts';
import type { RuntimeTunnels } from '../tunnel-server/index.ts';
import { Admission, type AdmissionLimits } from './admission.ts';
import { ApiFailure, failureOf } from './failure.ts';
import { createHandlers, type HandlerDeps } from './handlers/index.ts';
import { sendJson } from './json-answer.ts';
import { serveLive } from './live-stream.ts';
import { mountRoutes } from './mount-routes.ts';
import { openApiDocument } from './openapi.ts';
import { type ApiEnv, credentialsOf } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';
import { staticFile } from './static-files.ts';

interface ApiDeps extends HandlerDeps {
  readonly store: Store;
  readonly hub: LiveHub;
  readonly tunnels: RuntimeTunnels;
  readonly registry: Registry;
  readonly log: Logger;
  readonly webDir: string | undefined;
  readonly limits: AdmissionLimits;
  /** Aborted when the platform is about to stop: not ready any more, but still answering. */
  readonly draining: AbortSignal;
}

export function createApi(deps: ApiDeps): Server {
  const app = new Hono<ApiEnv>();
  app.use(observe(deps));
  app.use('/api/*', async (_, next) => {
    if (!deps.store.isUp) throw new ApiFailure('unavailable', 'the database does not answer; try again in a moment');
    await next();
  });
  mountProbes(app, deps);
  const { store, access, registry } = deps;
  const authenticateUser = userAuthentication({ store });
  mountLive(app, { ...deps, authenticateUser });
  app.get('/api/openapi.json', (context) => sendJson(context, openApiDocument(routes, deps), 200));
  const admission = new Admission(deps.limits, { clock: store.clock, registry });
  mountRoutes(app, { store, access, admission, authenticateUser, handlers: createHandlers(deps) });
  app.all('/api/*', (context) => {
    throw new ApiFailure('not_found', `there is no ${context.req.method} ${context.req.path}`);
  });
  app.use(compress({ threshold: 4096 }));
  mountWeb(app, deps.webDir);
  app.notFound(() => {
    throw new ApiFailure('not_found', 'there is nothing here');
  });
  app.onError((error, context) => answerFailure(error, context, deps.log));

  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.maxHeadersCount = 100;
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === tunnelPath && !deps.draining.aborted) deps.tunnels.handleUpgrade(request, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  return server;
}

function answerFailure(error: unknown, context: Context<ApiEnv>, log: Logger): Response | Promise<Response> {
  const requestId = context.get('requestId');
  const { status, body, hidden } = failureOf(error, requestId);
  if (status >= 500) {
    const fields = { requestId, path: context.req.path, code: body.code, error: hidden ?? body.message };
    log[body.code === 'internal' ? 'error' : 'warn'](fields, 'request failed');
  }
  const retryAfterSeconds = status === 503 ? 1 : body.details?.['retryAfterSeconds'];
  const { outgoing } = context.env;
  if (retryAfterSeconds !== undefined) outgoing.setHeader('retry-after', String(retryAfterSeconds));
  // What was not read of a refused body is not worth reading; the next request gets a new connection.
  if (status === 413 || status === 415) outgoing.setHeader('connection', 'close');
  return sendJson(context, body, status);
}

function observe({ registry, log, store }: { registry: Registry; log: Logger; store: { clock: Clock } }) {
  const requests = new Counter({
    name: 'fairlead_http_requests_total',
    help: 'Requests by route and status',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'fairlead_http_request_seconds',
    help: 'From the request to the answer, by route',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return async (context: Context<ApiEnv>, next: () => Promise<void>) => {
    const startedMs = store.clock.monotonic();
    const requestId = newId('req');
    context.set('requestId', requestId);
    context.set('route', '-');
    const { outgoing } = context.env;
    outgoing.setHeader('x-request-id', requestId);
    for (const [name, value] of Object.entries(securityHeaders)) outgoing.setHeader(name, value);
    await next();
    const route = context.get('route');
    if (route === 'live') return; // it sent its own head, and lasts as long as the client likes
    const status = context.get('sentStatus') ?? context.res.status;
    const durationMs = store.clock.monotonic() - startedMs;
    requests.inc({ route, status });
    seconds.observe({ route }, durationMs / 1000);
    const fields = { requestId, route, status, durationMs: Math.round(durationMs) };
    log[context.req.method === 'GET' ? 'debug' : 'info'](fields, 'request');
  };
}

function mountProbes(app: Hono<ApiEnv>, { store, registry, draining }: ApiDeps): void {
  app.get('/healthz', (context) => context.text('ok'));
  app.get('/readyz', (context) => {
    if (draining.aborted) return context.text('draining', 503);
    return store.isUp ? context.text('ok') : context.text('the database does not answer', 503);
  });
  app.get('/metrics', async (context) => {
    context.header('content-type', registry.contentType);
    return context.body(await registry.metrics());
  });
}

function mountLive(
  app: Hono<ApiEnv>,
  { store, hub, authenticateUser }: ApiDeps & { readonly authenticateUser: AuthenticateUser },
): void {
  app.get(livePath, async (context) => {
    const { incoming, outgoing } = context.env;
    const authenticate = () => authenticateUser(credentialsOf(incoming));
    const caller = await authenticate();
    context.set('route', 'live');
    const live = { request: incoming, response: outgoing, caller, authenticate };
    await serveLive({ store, hub }, live as Parameters<typeof serveLive>[1]); // HTTP/1 server: never Http2ServerResponse
    return RESPONSE_ALREADY_SENT;
  });
}

function mountWeb(app: Hono<ApiEnv>, webDir: string | undefined): void {
  if (webDir === undefined) return;
  app.get('*', async (context, next) => {
    const wantsHtml = (context.req.header('accept') ?? '').includes('text/html');
    const file = await staticFile(webDir, { path: context.req.path, wantsHtml });
    if (!file) return next();
    context.set('route', 'web');
    return context.body(new Uint8Array(file.body), 200, file.headers);
  });
}
