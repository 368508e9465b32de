// The one door of a runtime: what comes through the tunnel or an ingress is passed on by its path, streaming both ways.
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { Counter, errorMessage, type Logger, type Registry } from '@fairlead/base';
import { forwardedHeaders, type HopFailure, KeptConnections, tunnelErrorHeader, watchHop } from '@fairlead/tunnel';
import { versionHeaders } from '../version.ts';
import { type RouteTable, routeFor } from './routes.ts';

/** Until the target has answered the handshake of a WebSocket. */
const handshakeWithinMs = 60_000;

interface RouterDeps {
  readonly table: RouteTable;
  readonly registry: Registry;
  readonly log: Logger;
}

export function createRequestRouter({ table, registry, log }: RouterDeps): Server {
  const connections = new KeptConnections();
  const counter = new Counter({
    name: 'fairlead_router_requests_total',
    help: 'Requests by first path segment and outcome: passed, refused, unreachable',
    labelNames: ['route', 'outcome'],
    registers: [registry],
  });
  const count = (path: string, outcome: string) => counter.inc({ route: knownRoute(path), outcome });

  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    if (path === '/healthz' || path === '/readyz') return void response.writeHead(200, versionHeaders).end('ok');
    if (path === '/metrics') return void answerMetrics(response, registry);
    const routed = routeFor(path, table);
    if (routed.kind === 'refused') {
      count(path, 'refused');
      return answerError(response, { status: routed.status, failure: 'refused', message: routed.message });
    }
    const method = incoming.method ?? 'GET';
    const outgoing = sendRequest(new URL(routed.path, routed.origin), {
      agent: connections.agentFor(method),
      method,
      headers: forwardedHeaders(incoming.headers),
    });
    const failure = watchHop(outgoing);
    outgoing.once('response', (answer) => {
      count(path, 'passed');
      response.writeHead(answer.statusCode ?? 502, forwardedHeaders(answer.headers));
      response.flushHeaders();
      pipeline(answer, response, () => undefined); // a cut on either side ends the other; there is nobody left to tell
    });
    outgoing.once('error', (error) => {
      count(path, 'unreachable');
      log.warn({ route: knownRoute(path), error: errorMessage(error) }, 'target does not answer');
      answerError(response, {
        status: 502,
        failure: failure(),
        message: `its ${partNames[knownRoute(path)]} does not answer`,
      });
    });
    response.once('close', () => outgoing.destroy());
    pipeline(incoming, outgoing, () => undefined); // failures show on `outgoing`
  });
  server.on('upgrade', (incoming, socket, head) => passUpgrade(incoming, { socket, head, table, count }));
  server.on('close', () => connections.close());
  return server;
}

const partNames = { 'app-proxy': 'app-proxy', webhooks: 'event source', workflows: 'workflow server', other: 'part' };

const knownRoute = (path: string) =>
  (/^\/(app-proxy|webhooks|workflows)(?=[/?]|$)/.exec(path)?.[1] ?? 'other') as keyof typeof partNames; // the pattern's own words

async function answerMetrics(response: ServerResponse, registry: Registry): Promise<void> {
  const text = await registry.metrics();
  response.writeHead(200, { 'content-type': registry.contentType });
  response.end(text);
}

interface Refusal {
  readonly status: number;
  readonly failure: HopFailure | 'refused';
  readonly message: string;
}

function answerError(response: ServerResponse, { status, failure, message }: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const code = status === 502 ? 'runtime_unreachable' : status === 404 ? 'not_found' : 'bad_request';
  response.writeHead(status, { 'content-type': 'application/json', [tunnelErrorHeader]: failure });
  response.end(JSON.stringify({ code, message, requestId: '' }));
}

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly table: RouteTable;
  readonly count: (path: string, outcome: string) => void;
}

/** WebSockets (exec, log streams): the handshake is passed on, then both sockets are joined. */
function passUpgrade(incoming: IncomingMessage, { socket, head, table, count }: Upgrade): void {
  socket.on('error', () => socket.destroy());
  const path = incoming.url ?? '/';
  const routed = routeFor(path, table);
  if (routed.kind === 'refused') {
    count(path, 'refused');
    socket.end(`HTTP/1.1 ${routed.status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    return;
  }
  const outgoing = sendRequest(new URL(routed.path, routed.origin), {
    method: incoming.method ?? 'GET',
    headers: { ...forwardedHeaders(incoming.headers), connection: 'upgrade', upgrade: incoming.headers.upgrade ?? '' },
  });
  const giveUp = () => outgoing.destroy();
  socket.once('close', giveUp);
  outgoing.setTimeout(handshakeWithinMs, giveUp);
  outgoing.once('upgrade', (answer, target, targetHead) => {
    count(path, 'passed');
    target.setTimeout(0);
    const lines = [`HTTP/1.1 101 ${answer.statusMessage ?? 'Switching Protocols'}`];
    for (let i = 0; i < answer.rawHeaders.length; i += 2)
      lines.push(`${answer.rawHeaders[i]}: ${answer.rawHeaders[i + 1]}`);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (targetHead.length > 0) socket.write(targetHead);
    if (head.length > 0) target.write(head);
    joinSockets(socket, target);
  });
  outgoing.once('response', (answer) => {
    answer.resume();
    socket.end(`HTTP/1.1 ${answer.statusCode} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  outgoing.once('error', () => {
    count(path, 'unreachable');
    socket.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  outgoing.end();
}

/** An end on one side ends the other after what is under way; not `pipeline`, which would drop the last frames. */
function joinSockets(near: Duplex, far: Socket): void {
  far.on('error', () => far.destroy());
  near.pipe(far);
  far.pipe(near);
  near.once('close', () => far.destroySoon());
  far.once('close', () => {
    if (!far.readableEnded) near.destroy();
  });
}
