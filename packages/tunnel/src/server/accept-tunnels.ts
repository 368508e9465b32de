// The platform's end: takes WebSocket upgrades, authenticates runtimes, keeps one session per runtime.
// A newer session of a runtime fences the older one (4001), so that no request is ever routed to two of them.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, errorMessage, type Logger, newId, silentLogger, systemClock } from '@fairlead/base';
import { checker, TunnelHello, tunnelCloseCodes, tunnelProtocolVersion } from '@fairlead/contracts';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  defaultTimings,
  keepAlive,
  limits,
  nextControl,
  sendControl,
  TunnelRefusedError,
  type TunnelTimings,
  WebSocketStream,
} from '../wire/index.ts';
import { TunnelSession } from './session.ts';
import { UnprovenSockets } from './unproven-sockets.ts';

export interface Authenticated {
  readonly runtimeId: string;
}

export interface AcceptOptions {
  /** Throws TunnelRefusedError to refuse; any other failure is answered with "later". */
  readonly authenticate: (hello: { readonly proof: string; readonly nonce: string }) => Promise<Authenticated>;
  readonly onSession?: (session: TunnelSession) => void;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly timings?: TunnelTimings;
}

export interface TunnelServer {
  /** For the `upgrade` event of a node http server; the caller has matched the path. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  session(runtimeId: string): TunnelSession | undefined;
  readonly size: number;
  /** Sockets that have not proved who they are: in the handshake, waiting for their turn, and refused so far. */
  readonly unproven: { readonly underWay: number; readonly waiting: number; readonly refused: number };
  /** Cuts the session of a runtime whose right was taken away. */
  revoke(runtimeId: string): void;
  /** Tells all runtimes to come back elsewhere or later. */
  close(): Promise<void>;
}

const checkHello = checker(TunnelHello);
/** Who is refused may hear why, and close; not stay. */
const refusalHeardMs = 1_000;

export function acceptTunnels(options: AcceptOptions): TunnelServer {
  const { log = silentLogger, onSession } = options;
  const sessions = new Map<string, TunnelSession>();
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.maxMessageBytes,
    maxFragments: limits.maxFragments,
    maxBufferedChunks: limits.maxBufferedChunks,
    clientTracking: true,
  });
  const unproven = new UnprovenSockets(options.clock);

  const admit = (session: TunnelSession) => {
    const { runtimeId, sessionId } = session;
    const older = sessions.get(runtimeId);
    sessions.set(runtimeId, session);
    older?.close(tunnelCloseCodes.fenced, 'a newer session of this runtime took over');
    log.info({ runtimeId, sessionId, fenced: older?.sessionId }, 'tunnel open');
    void session.closed.then((code) => {
      if (sessions.get(runtimeId) === session) sessions.delete(runtimeId);
      log.info({ runtimeId, sessionId, code }, 'tunnel closed');
    });
    onSession?.(session);
  };

  return {
    handleUpgrade(request, socket, head) {
      // Runtimes are programs: only a browser sends Origin, and no page may open a tunnel.
      if (request.headers.origin !== undefined) return refuseUpgrade(socket, '403 Forbidden');
      const enter = (proven: () => void) => {
        if (socket.destroyed) return proven();
        socket.once('close', proven);
        server.handleUpgrade(request, socket, head, (webSocket) => {
          openSession(webSocket, options).then(
            (session) => {
              proven();
              admit(session);
            },
            (error: unknown) => log.warn({ error: errorMessage(error) }, 'tunnel refused'),
          );
        });
      };
      const refuse = () => refuseUpgrade(socket, '503 Service Unavailable');
      const leaveLine = unproven.add(request.socket.remoteAddress ?? '', { enter, refuse });
      socket.once('close', leaveLine);
    },
    get unproven() {
      return unproven.counts;
    },
    session: (runtimeId) => sessions.get(runtimeId),
    get size() {
      return sessions.size;
    },
    revoke(runtimeId) {
      sessions.get(runtimeId)?.close(tunnelCloseCodes.revoked, 'this runtime was removed');
    },
    async close() {
      await drain([...sessions.values()]);
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

async function drain(sessions: readonly TunnelSession[]): Promise<void> {
  const closing = sessions.map((session) => {
    session.close(tunnelCloseCodes.draining, 'the platform is stopping');
    return session.gone;
  });
  await Promise.race([Promise.all(closing), sleepBriefly()]);
}

/** Time for the close frames to be answered; a dead peer must not hold up the stop. */
const sleepBriefly = () => new Promise<void>((resolve) => systemClock.after(1_000, resolve));

async function openSession(webSocket: WebSocket, options: AcceptOptions): Promise<TunnelSession> {
  const { authenticate, clock = systemClock, timings = defaultTimings, log = silentLogger } = options;
  const stream = new WebSocketStream(webSocket, { clock });
  stream.on('error', (error) => log.debug({ error: errorMessage(error) }, 'tunnel stream failed'));
  try {
    const nonce = randomBytes(24).toString('base64url');
    sendControl(stream, { type: 'challenge', protocol: tunnelProtocolVersion, nonce });
    const hello = await nextControl(stream, { check: checkHello, timeoutMs: timings.handshakeMs, clock });
    if (hello.protocol !== tunnelProtocolVersion) {
      const known = `this platform speaks tunnel protocol ${tunnelProtocolVersion}, the runtime ${hello.protocol}`;
      throw new TunnelRefusedError('tunnel_protocol_version', known, 'never');
    }
    const { runtimeId } = await authenticate({ proof: hello.proof, nonce });
    const sessionId = newId('tunnel');
    sendControl(stream, { type: 'welcome', sessionId });
    stream.allowBinary();
    keepAlive(stream, { timings, log: log.child({ runtimeId }), clock });
    return new TunnelSession(stream, { runtimeId, sessionId, runtimeVersion: hello.runtimeVersion, clock });
  } catch (error) {
    refuse(stream, error);
    clock.after(refusalHeardMs, () => webSocket.terminate());
    throw error;
  }
}

function refuse(stream: WebSocketStream, error: unknown): void {
  if (stream.destroyed) return;
  const refusal =
    error instanceof TunnelRefusedError
      ? { code: error.code, message: error.message, retry: error.retry }
      : { code: 'unavailable', message: 'the platform could not check the runtime now', retry: 'later' };
  sendControl(stream, { type: 'refused', ...refusal });
  stream.socket.close(1008);
}
