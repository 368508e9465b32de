// Carries one HTTP/2 request of the tunnel to the local origin over HTTP/1.1, streaming both ways. The origin is fixed:
// there is no way to name another host in a request.
import { Agent, type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { errorMessage, type Logger } from '@fairlead/base';
import { forwardedHeaders, limits, tunnelErrorHeader } from '../wire/index.ts';

interface TunnelledRequest {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly flags: number;
}

/** Until the origin's answer begins; an answer that streams may then take as long as it likes. */
const answerTimeoutMs = 60_000;

export class OriginProxy {
  readonly #origin: URL;
  readonly #log: Logger;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 16 });

  constructor({ origin, log }: { origin: string; log: Logger }) {
    this.#origin = new URL(origin);
    this.#log = log;
  }

  close(): void {
    this.#agent.destroy();
  }

  serve({ stream, headers, flags }: TunnelledRequest): void {
    // Without a listener the reset of a stream would end the process; `close` below does what is to be done.
    stream.on('error', () => undefined);
    const path = headers[':path'] ?? '';
    const method = headers[':method'] ?? 'GET';
    if (method === 'CONNECT') refuse(stream, 501, 'upgrades do not pass through the tunnel');
    else if (!path.startsWith('/')) refuse(stream, 400, 'the path must start with "/"');
    else this.#forward({ stream, headers, flags }, { method, path });
  }

  #forward(
    { stream, headers, flags }: TunnelledRequest,
    { method, path }: { readonly method: string; readonly path: string },
  ): void {
    const request = sendRequest({
      agent: this.#agent,
      hostname: this.#origin.hostname,
      port: this.#origin.port || 80,
      method,
      path,
      headers: { ...forwardedHeaders(headers), host: this.#origin.host },
    });
    const cancelTimeout = answerDeadline(request);
    request.once('response', (answer) => {
      cancelTimeout();
      passAnswer(stream, answer);
    });
    request.once('error', (error) => {
      cancelTimeout();
      this.#log.debug({ path: path.split('?')[0], error: errorMessage(error) }, 'origin did not answer');
      refuse(stream, 502, 'the request router of the runtime did not answer');
    });
    stream.once('close', () => request.destroy());
    sendBody(stream, request, (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0);
  }
}

function answerDeadline(request: ClientRequest): () => void {
  const timer = setTimeout(() => request.destroy(new Error(`no answer within ${answerTimeoutMs} ms`)), answerTimeoutMs);
  return () => clearTimeout(timer);
}

function sendBody(stream: ServerHttp2Stream, request: ClientRequest, isEmpty: boolean): void {
  if (isEmpty) {
    request.end();
    return;
  }
  let sizeBytes = 0;
  stream.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes > limits.maxRequestBodyBytes) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });
  stream.once('end', () => {
    // A reset ends the stream too: what arrived is then not the whole body and must not look like it.
    if (stream.rstCode === constants.NGHTTP2_NO_ERROR) request.end();
    else request.destroy();
  });
  stream.pipe(request, { end: false });
}

function passAnswer(stream: ServerHttp2Stream, answer: IncomingMessage): void {
  if (stream.destroyed || stream.headersSent) {
    answer.destroy();
    return;
  }
  stream.respond({ ':status': answer.statusCode ?? 502, ...forwardedHeaders(answer.headers) });
  if (stream.writableEnded) {
    answer.resume(); // HEAD, 204 and 304 have no body
    return;
  }
  // Not `pipeline`: it makes an AbortController and an error for each answer, a tenth of the cost of a small one.
  const cutShort = () => {
    // `close` would end the body first, and it would look whole.
    if (!answer.complete && !stream.destroyed) stream.destroy(new Error('the answer of the origin was cut short'));
  };
  answer.once('error', cutShort);
  answer.once('close', cutShort);
  answer.pipe(stream);
}

function refuse(stream: ServerHttp2Stream, status: number, message: string): void {
  if (stream.destroyed) return;
  if (stream.headersSent) {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  stream.respond({ ':status': status, 'content-type': 'application/json', [tunnelErrorHeader]: String(status) });
  stream.end(JSON.stringify({ code: 'runtime_unreachable', message }));
}
