// One connected runtime, as the platform sees it: an HTTP/2 client on the stream that the runtime dialled.
// Promises: every request ends in an answer, a body that ends or errors, or a TunnelCutError that says whether the
// runtime may have seen it. Never sends a request twice.
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { type Clock, systemClock } from '@fairlead/base';
import { tunnelCloseCodes } from '@fairlead/contracts';
import { forwardedHeaders, limits, TunnelCutError, TunnelLimitError, type WebSocketStream } from '../wire/index.ts';
import { AnswerBody } from './answer-body.ts';

export interface TunnelRequest {
  readonly method: string;
  /** With query, starting with '/'. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: Uint8Array | Readable | undefined;
  readonly signal: AbortSignal;
}

export interface TunnelResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Errors with TunnelCutError when the tunnel is cut before its end. */
  readonly body: Readable;
}

/** Either the frames of a WebSocket, both ways, or the answer of who refused it. */
export type TunnelUpgrade =
  | { readonly socket: Duplex; readonly headers: Readonly<Record<string, string | string[]>> }
  | { readonly socket: undefined; readonly refusal: TunnelResponse };

const closeWithinMs = 1_000;

interface SessionFields {
  readonly runtimeId: string;
  readonly sessionId: string;
  readonly runtimeVersion: string;
  readonly clock?: Clock;
}

export class TunnelSession {
  readonly runtimeId: string;
  readonly sessionId: string;
  readonly runtimeVersion: string;
  /** Settles when nothing can be sent any more, with the WebSocket close code (1006 when it was cut). */
  readonly closed: Promise<number>;
  /** Settles when the socket is gone too: the peer has heard of it, or never will. */
  readonly gone: Promise<void>;
  #settleClosed: (code: number) => void = () => undefined;
  readonly #stream: WebSocketStream;
  readonly #http: ClientHttp2Session;
  readonly #clock: Clock;
  #active = 0;
  #upgrades = 0;
  #onIdle: (() => void) | undefined;

  constructor(stream: WebSocketStream, fields: SessionFields) {
    this.runtimeId = fields.runtimeId;
    this.sessionId = fields.sessionId;
    this.runtimeVersion = fields.runtimeVersion;
    this.#clock = fields.clock ?? systemClock;
    this.#stream = stream;
    this.closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
    this.gone = new Promise((resolve) => {
      stream.socket.once('close', (code: number) => {
        this.#settleClosed(code);
        resolve();
      });
    });
    this.#http = connect('http://runtime', {
      createConnection: () => stream,
      maxSessionMemory: limits.sessionMemoryMiB,
      peerMaxConcurrentStreams: limits.maxStreams,
      settings: { initialWindowSize: limits.streamWindowBytes, enablePush: false },
    });
    this.#http.once('connect', () => this.#http.setLocalWindowSize(limits.tunnelWindowBytes));
    // The cut itself is reported by each request and by `closed`; without a listener it would end the process.
    this.#http.on('error', () => stream.destroy());
  }

  /** Requests in flight. */
  get active(): number {
    return this.#active;
  }

  get isOpen(): boolean {
    return !this.#http.destroyed && !this.#http.closed && !this.#stream.destroyed;
  }

  /** Resolves with the head of the answer; the caller must read or destroy its body. */
  request({ method, path, headers = {}, body, signal }: TunnelRequest): Promise<TunnelResponse> {
    const stream = this.#begin(
      { ...forwardedHeaders(headers), ':method': method, ':path': path },
      {
        endStream: body === undefined,
        signal,
      },
    );
    if (stream instanceof Error) return Promise.reject(stream);
    sendBody(stream, body);
    return answerOf(stream, signal);
  }

  /**
   * A WebSocket to the runtime (RFC 8441). With `socket` the caller owns it: what it reads are the frames of the far side,
   * what it writes must be frames. A socket that is cut closes without a close frame.
   */
  async upgrade({ path, headers = {}, signal }: Omit<TunnelRequest, 'method' | 'body'>): Promise<TunnelUpgrade> {
    if (this.#upgrades >= limits.maxUpgrades) {
      throw new TunnelLimitError(`the tunnel carries ${limits.maxUpgrades} WebSockets already`);
    }
    const head = { ':method': 'CONNECT', ':protocol': 'websocket', ':path': path, 'sec-websocket-version': '13' };
    const stream = this.#begin({ ...forwardedHeaders(headers), ...head }, { endStream: false, signal });
    if (stream instanceof Error) throw stream;
    this.#upgrades++;
    stream.once('close', () => this.#upgrades--);
    return upgradeOf(stream, signal);
  }

  #begin(
    headers: OutgoingHttpHeaders,
    { endStream, signal }: { readonly endStream: boolean; readonly signal: AbortSignal },
  ): ClientHttp2Stream | Error {
    if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
    if (!this.isOpen) return new TunnelCutError('the tunnel is closed', { maybeDelivered: false });
    if (this.#active >= limits.maxStreams) {
      return new TunnelLimitError(`the tunnel carries ${limits.maxStreams} requests already`);
    }
    const stream = this.#http.request(headers, { endStream });
    this.#active++;
    stream.once('close', () => {
      if (--this.#active === 0) this.#onIdle?.();
    });
    return stream;
  }

  /** Ends the tunnel when the requests on it are over, or after `withinMs`; the runtime may come back. New ones are still taken. */
  retire(withinMs: number): void {
    const end = () => this.close(tunnelCloseCodes.draining, 'this runtime is reached in another way now');
    if (this.#active === 0) {
      end();
      return;
    }
    const cancel = this.#clock.after(withinMs, end);
    this.#onIdle = () => {
      cancel();
      end();
    };
  }

  /** Ends the tunnel with a WebSocket close code; requests under way fail with TunnelCutError. */
  close(code: number, reason = ''): void {
    const { socket } = this.#stream;
    socket.close(code, reason);
    this.#http.destroy();
    this.#settleClosed(code);
    // A peer that does not answer the close must not keep the socket.
    const cancel = this.#clock.after(closeWithinMs, () => socket.terminate());
    socket.once('close', cancel);
  }
}

function sendBody(stream: ClientHttp2Stream, body: TunnelRequest['body']): void {
  if (body === undefined) return;
  if (body instanceof Uint8Array) {
    stream.end(body);
    return;
  }
  let sizeBytes = 0;
  body.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes > limits.maxRequestBodyBytes) {
      body.destroy(new TunnelLimitError(`the body is larger than ${limits.maxRequestBodyBytes} bytes`));
    }
  });
  // A failure on either side shows as the failure of the request: the stream is reset with the body's error.
  pipeline(body, stream, () => undefined);
}

function answerOf(stream: ClientHttp2Stream, signal: AbortSignal): Promise<TunnelResponse> {
  return answered(stream, signal, (head) => answerFrom(stream, head));
}

function upgradeOf(stream: ClientHttp2Stream, signal: AbortSignal): Promise<TunnelUpgrade> {
  return answered(stream, signal, (head): TunnelUpgrade => {
    if (Number(head[':status']) === 200) return { socket: stream, headers: forwardedHeaders(head) };
    stream.end();
    return { socket: undefined, refusal: answerFrom(stream, head) };
  });
}

const answerFrom = (stream: ClientHttp2Stream, head: IncomingHttpHeaders): TunnelResponse => ({
  status: Number(head[':status']),
  headers: forwardedHeaders(head),
  body: new AnswerBody(stream),
});

/**
 * `take` is called within the event itself: a stream that is reset at once would else be closed before anybody listens.
 * The signal cancels the stream also after its head has come, as long as it is open.
 */
function answered<T>(
  stream: ClientHttp2Stream,
  signal: AbortSignal,
  take: (head: IncomingHttpHeaders) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    let isAnswered = false;
    const onAbort = () => stream.close(constants.NGHTTP2_CANCEL);
    signal.addEventListener('abort', onAbort, { once: true });
    stream.on('error', (error) => {
      failure = error;
    });
    stream.once('response', (head) => {
      isAnswered = true;
      resolve(take(head));
    });
    stream.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      if (!isAnswered) reject(signal.aborted ? signal.reason : failureOf(stream, failure));
    });
  });
}

function failureOf(stream: ClientHttp2Stream, cause: unknown): Error {
  if (cause instanceof TunnelLimitError) return cause;
  const neverSent = stream.id === undefined || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  return new TunnelCutError('the tunnel was cut before the answer', { maybeDelivered: !neverSent, cause });
}
