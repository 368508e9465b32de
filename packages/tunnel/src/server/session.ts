// One connected runtime, as the platform sees it: an HTTP/2 client on the stream that the runtime dialled.
// Promises: every request ends in an answer, a body that ends or errors, or a TunnelCutError that says whether the
// runtime may have seen it. Never sends a request twice.
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { forwardedHeaders, limits, TunnelCutError, TunnelLimitError, type WebSocketStream } from '../wire/index.ts';

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

interface SessionFields {
  readonly runtimeId: string;
  readonly sessionId: string;
  readonly runtimeVersion: string;
}

export class TunnelSession {
  readonly runtimeId: string;
  readonly sessionId: string;
  readonly runtimeVersion: string;
  /** Settles when the tunnel is gone, with the WebSocket close code (1006 when it was cut). */
  readonly closed: Promise<number>;
  readonly #stream: WebSocketStream;
  readonly #http: ClientHttp2Session;
  #active = 0;

  constructor(stream: WebSocketStream, fields: SessionFields) {
    this.runtimeId = fields.runtimeId;
    this.sessionId = fields.sessionId;
    this.runtimeVersion = fields.runtimeVersion;
    this.#stream = stream;
    this.closed = new Promise((resolve) => {
      stream.socket.once('close', (code: number) => resolve(code));
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
    if (signal.aborted) return Promise.reject(signal.reason);
    if (!this.isOpen) {
      return Promise.reject(new TunnelCutError('the tunnel is closed', { maybeDelivered: false }));
    }
    if (this.#active >= limits.maxStreams) {
      return Promise.reject(new TunnelLimitError(`the tunnel carries ${limits.maxStreams} requests already`));
    }
    const stream = this.#http.request(
      { ...forwardedHeaders(headers), ':method': method, ':path': path },
      { endStream: body === undefined },
    );
    this.#active++;
    stream.once('close', () => this.#active--);
    sendBody(stream, body);
    return answerOf(stream, signal);
  }

  /** Ends the tunnel with a WebSocket close code; requests under way fail with TunnelCutError. */
  close(code: number, reason = ''): void {
    this.#stream.socket.close(code, reason);
    this.#http.destroy();
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
      const { [constants.HTTP2_HEADER_STATUS]: status } = head;
      resolve({ status: Number(status), headers: forwardedHeaders(head), body: bodyOf(stream) });
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

/** A reset stream ends like a finished one; only its reset code tells the difference. */
function bodyOf(stream: ClientHttp2Stream): Readable {
  const body = new PassThrough({ highWaterMark: limits.streamWindowBytes });
  let ended = false;
  stream.once('end', () => {
    ended = true;
  });
  stream.once('close', () => {
    const whole = ended && stream.rstCode === constants.NGHTTP2_NO_ERROR;
    if (whole) body.end();
    else body.destroy(new TunnelCutError('the tunnel was cut in the answer', { maybeDelivered: true }));
  });
  body.once('close', () => {
    if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  });
  stream.pipe(body, { end: false });
  return body;
}
