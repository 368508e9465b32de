// The runtime's end: dials out, proves who it is, and serves what comes in from one fixed local origin.
// Comes back by itself after any cut (full jitter, 0.5 s to 30 s); stops only on the signal or when the platform says
// that coming back is useless.
import type { ServerHttp2Session } from 'node:http2';
import { performServerHandshake } from 'node:http2';
import {
  backoffDelay,
  type Clock,
  errorMessage,
  isAbortError,
  type Logger,
  type Random,
  silentLogger,
  sleep,
  systemClock,
} from '@fairlead/base';
import {
  type Checked,
  checker,
  TunnelChallenge,
  TunnelRefusal,
  TunnelWelcome,
  tunnelCloseCodes,
  tunnelProtocolVersion,
} from '@fairlead/contracts';
import { WebSocket } from 'ws';
import {
  defaultTimings,
  keepAlive,
  limits,
  nextControl,
  sendControl,
  TunnelCutError,
  TunnelRefusedError,
  type TunnelTimings,
  WebSocketStream,
} from '../wire/index.ts';
import { OriginProxy } from './origin-proxy.ts';

export type TunnelState = 'connecting' | 'connected' | 'waiting';

export interface DialOptions {
  /** `ws:` or `wss:` URL of the platform's tunnel path. */
  readonly url: string;
  /** A runtime token that carries the nonce. */
  readonly proof: (nonce: string) => Promise<string>;
  /** Base URL of the only place requests go to: the request router. */
  readonly origin: string;
  readonly runtimeVersion: string;
  readonly signal: AbortSignal;
  /** `refusal`: what the platform said, when it is why the tunnel waits. */
  readonly onState?: (state: TunnelState, refusal?: TunnelRefusedError) => void;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly timings?: TunnelTimings;
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number };
}

const defaultBackoff = { baseMs: 500, maxMs: 30_000 };
/** A tunnel that lived this long was good: the next wait starts from the base again. */
const steadyMs = 10_000;
const checkChallenge = checker(TunnelChallenge);
const checkWelcome = checker(TunnelWelcome);
const checkRefusal = checker(TunnelRefusal);

function checkVerdict(value: unknown): Checked<TunnelWelcome | TunnelRefusal> {
  const welcome = checkWelcome(value);
  return welcome.ok ? welcome : checkRefusal(value);
}

/** Resolves when the signal aborts; rejects with TunnelRefusedError when the platform refuses for good. */
export async function dialTunnel(options: DialOptions): Promise<void> {
  const { signal, onState, log = silentLogger, clock = systemClock, backoff = defaultBackoff } = options;
  const proxy = new OriginProxy({ origin: options.origin, log });
  try {
    for (let attempt = 0; !signal.aborted; attempt++) {
      const startedMs = clock.monotonic();
      onState?.('connecting');
      const { code, refusal } = await serveOnce(options, proxy);
      if (signal.aborted) return;
      if (clock.monotonic() - startedMs > steadyMs) attempt = 0;
      const random = options.random ?? Math.random;
      const isFenced = code === tunnelCloseCodes.fenced;
      const delayMs = isFenced ? fencedDelay(backoff.maxMs, random) : backoffDelay(attempt, { ...backoff, random });
      log.info({ code, delayMs }, 'tunnel is down, will dial again');
      onState?.('waiting', refusal);
      await sleep(delayMs, { signal, clock }).catch(() => undefined); // the loop condition sees the abort
    }
  } finally {
    proxy.close();
  }
}

/**
 * Another client holds this identity, and coming back throws it out in turn: never before half of the longest wait,
 * so that two of them change places at most every few seconds and not in the middle of each other's requests.
 */
function fencedDelay(maxMs: number, random: Random): number {
  return Math.round(maxMs * (0.5 + random() / 2));
}

interface Ended {
  /** Of the WebSocket; a failure to connect counts as 1006. */
  readonly code: number;
  readonly refusal?: TunnelRefusedError;
}

/** One connection from dial to close. */
async function serveOnce(options: DialOptions, proxy: OriginProxy): Promise<Ended> {
  const { signal, log = silentLogger, clock = systemClock, timings = defaultTimings } = options;
  const webSocket = new WebSocket(options.url, {
    perMessageDeflate: false,
    maxPayload: limits.maxMessageBytes,
    maxFragments: limits.maxFragments,
    maxBufferedChunks: limits.maxBufferedChunks,
    handshakeTimeout: timings.upgradeMs,
    followRedirects: false,
    // ADR 0012: inside TLS a mask protects nobody, and masking each byte in JavaScript halves the throughput.
    ...(options.url.startsWith('wss:') ? { generateMask: (mask: Buffer) => void mask.fill(0) } : {}),
  });
  const stream = new WebSocketStream(webSocket, { clock });
  const closed = new Promise<number>((resolve) => {
    webSocket.once('close', (code: number) => resolve(code));
  });
  const onAbort = () => webSocket.close(1000);
  signal.addEventListener('abort', onAbort, { once: true });
  stream.on('error', (error) => log.debug({ error: errorMessage(error) }, 'tunnel stream failed'));
  try {
    const sessionId = await introduce(stream, options);
    const session = serveHttp2(stream, proxy);
    keepAlive(stream, { timings, log, clock });
    log.info({ sessionId }, 'tunnel is up');
    options.onState?.('connected');
    const code = await closed;
    session.destroy();
    if (code === tunnelCloseCodes.revoked) {
      throw new TunnelRefusedError('runtime_revoked', 'the platform has removed this runtime', 'never');
    }
    return { code };
  } catch (error) {
    stream.destroy();
    if (error instanceof TunnelRefusedError && error.retry === 'never') throw error;
    if (!signal.aborted && !isAbortError(error)) log.warn({ error: errorMessage(error) }, 'tunnel cannot be opened');
    return { code: 1006, ...(error instanceof TunnelRefusedError ? { refusal: error } : {}) };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function introduce(stream: WebSocketStream, options: DialOptions): Promise<string> {
  const { clock = systemClock, timings = defaultTimings } = options;
  const timeoutMs = timings.handshakeMs;
  const challenge = await nextControl(stream, { check: checkChallenge, timeoutMs: timeoutMs * 2, clock });
  const proof = await options.proof(challenge.nonce);
  sendControl(stream, {
    type: 'hello',
    protocol: tunnelProtocolVersion,
    runtimeVersion: options.runtimeVersion,
    proof,
  });
  stream.allowBinary();
  const verdict = await nextControl(stream, { check: checkVerdict, timeoutMs, clock });
  if (verdict.type === 'refused') throw new TunnelRefusedError(verdict.code, verdict.message, verdict.retry);
  if (stream.destroyed) throw new TunnelCutError('the tunnel closed in the handshake', { maybeDelivered: false });
  return verdict.sessionId;
}

function serveHttp2(stream: WebSocketStream, proxy: OriginProxy): ServerHttp2Session {
  const session = performServerHandshake(stream, {
    maxSessionMemory: limits.sessionMemoryMiB,
    settings: {
      initialWindowSize: limits.streamWindowBytes,
      maxConcurrentStreams: limits.maxStreams,
      maxHeaderListSize: limits.maxHeaderBytes,
      enableConnectProtocol: true,
    },
  });
  session.setLocalWindowSize(limits.tunnelWindowBytes);
  session.on('error', () => stream.destroy());
  session.on('stream', (request, headers, flags) => proxy.serve({ stream: request, headers, flags }));
  return session;
}
