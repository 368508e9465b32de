// The front door: HTTPS with our own certificate, one identity, one answer or stream per request.
// Promises: every failure is a Status object; a broken request breaks nothing but itself; nothing of a token is logged.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type Clock, errorMessage, type Logger, listen } from '@fairlead/base';
import { Authorizer, administrator, Tokens, type User } from '../access/index.ts';
import { type Objects, StatusError } from '../objects/index.ts';
import { isOpenPath, tokenChecker } from './authentication.ts';
import { authenticate, authorize } from './authorization.ts';
import { DiscoveryDocuments } from './discovery.ts';
import { ApiMetrics } from './metrics.ts';
import { OpenApiDocuments } from './openapi.ts';
import { OpenApiV2 } from './openapi-v2.ts';
import { send } from './responses.ts';
import { type RouteDeps, route } from './routes.ts';
import { WatchHub } from './watch-hub.ts';

export interface ApiServerOptions {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: string;
  readonly port: number;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly token: string;
  /** PEM; signs the tokens of service accounts. */
  readonly signingKey: string;
}

export interface ApiServer {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { objects, clock, log, certificate, key, host } = options;
  const stopping = new AbortController();
  const watches = new WatchHub(clock);
  const deps: RouteDeps = {
    objects,
    clock,
    log,
    watches,
    signal: stopping.signal,
    discovery: new DiscoveryDocuments(objects.registry),
    openApi: new OpenApiDocuments(objects.registry),
    openApiV2: new OpenApiV2(objects.registry),
    metrics: new ApiMetrics({ store: objects.store, watches }),
    gate: {
      administrator,
      isAdministrator: tokenChecker(options.token),
      tokens: new Tokens({ store: objects.store, clock, signingKey: options.signingKey }),
      authorizer: new Authorizer(objects.store),
    },
  };
  const server = createServer({ key, cert: certificate }, (request, response) => {
    void answer(request, response, deps);
  });
  const listening = await listen(server, { host, port: options.port });
  return {
    port: listening.port,
    stop: async () => {
      stopping.abort();
      watches.endAll();
      await listening.close(500);
    },
  };
}

/** Never rejects. */
async function answer(request: IncomingMessage, response: ServerResponse, deps: RouteDeps): Promise<void> {
  const gzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  let verb = request.method?.toLowerCase() ?? '';
  try {
    const url = withoutWatchPrefix(new URL(request.url ?? '/', 'https://cluster'));
    if (/^(1|true)$/.test(url.searchParams.get('watch') ?? '')) verb = 'watch';
    const result = await route({ request, response, url, user: admitted(request, url, deps) }, deps);
    if (result !== 'streamed') await send(response, result, { gzip });
  } catch (error) {
    await sendFailure(response, error, deps.log);
  } finally {
    deps.metrics.count(verb, response.statusCode);
    // A body nobody read would block the connection for the next request.
    if (!request.readableEnded) request.resume();
  }
}

/** `/api/v1/watch/pods` is an old spelling of `/api/v1/pods?watch=true`. */
function withoutWatchPrefix(url: URL): URL {
  const [, root, rest] = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch(\/.+)$/.exec(url.pathname) ?? [];
  if (root === undefined || rest === undefined) return url;
  const plain = new URL(`${root}${rest}${url.search}`, url);
  plain.searchParams.set('watch', 'true');
  return plain;
}

/** The user, who may do what is asked; open paths are for everybody. */
function admitted(request: IncomingMessage, url: URL, { gate }: RouteDeps): User | undefined {
  if (isOpenPath(url.pathname)) return undefined;
  const user = authenticate(request, gate);
  authorize(user, request, { url, gate });
  return user;
}

async function sendFailure(response: ServerResponse, error: unknown, log: Logger): Promise<void> {
  const failure = error instanceof StatusError ? error : internalError(error, log);
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  // The rest of a body that is too large is not worth reading.
  if (failure.status === 413) response.setHeader('connection', 'close');
  await send(response, { status: failure.status, body: failure.toStatus() }, { gzip: false });
}

function internalError(error: unknown, log: Logger): StatusError {
  log.error({ error: errorMessage(error), stack: error instanceof Error ? error.stack : undefined }, 'request failed');
  const message = `Internal error occurred: ${errorMessage(error)}`;
  return new StatusError({ status: 500, reason: 'InternalError', message });
}
