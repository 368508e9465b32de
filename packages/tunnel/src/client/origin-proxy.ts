// Carries one HTTP/2 request of the tunnel to the local origin over HTTP/1.1, streaming both ways. The origin is fixed:
// there is no way to name another host in a request.
import { type ClientRequest, request as sendRequest } from 'node:http';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { errorMessage, type Logger } from '@fairlead/base';
import { forwardedHeaders, KeptConnections, limits, watchHop } from '../wire/index.ts';
import { answerDeadline, passAnswer, refuse, routerSilent } from './pass-answer.ts';
import { passUpgrade } from './pass-upgrade.ts';

interface TunnelledRequest {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly flags: number;
}

export class OriginProxy {
  readonly #origin: URL;
  readonly #log: Logger;
  readonly #connections = new KeptConnections();

  constructor({ origin, log }: { origin: string; log: Logger }) {
    this.#origin = new URL(origin);
    this.#log = log;
  }

  close(): void {
    this.#connections.close();
  }

  serve({ stream, headers, flags }: TunnelledRequest): void {
    // Without a listener the reset of a stream would end the process; `close` below does what is to be done.
    stream.on('error', () => undefined);
    const path = headers[':path'] ?? '';
    const method = headers[':method'] ?? 'GET';
    const protocol = headers[':protocol'];
    if (method === 'CONNECT' && protocol !== 'websocket')
      refuse(stream, { status: 501, failure: 'refused', message: 'only WebSockets pass as upgrades' });
    else if (!path.startsWith('/'))
      refuse(stream, { status: 400, failure: 'refused', message: 'the path must start with "/"' });
    else if (method === 'CONNECT') passUpgrade({ stream, headers, path, origin: this.#origin });
    else this.#forward({ stream, headers, flags }, { method, path });
  }

  #forward(
    { stream, headers, flags }: TunnelledRequest,
    { method, path }: { readonly method: string; readonly path: string },
  ): void {
    const request = sendRequest({
      agent: this.#connections.agentFor(method),
      hostname: this.#origin.hostname,
      port: this.#origin.port || 80,
      method,
      path,
      headers: { ...forwardedHeaders(headers), host: this.#origin.host },
    });
    const failure = watchHop(request);
    const cancelTimeout = answerDeadline(request);
    request.once('response', (answer) => {
      cancelTimeout();
      passAnswer(stream, answer);
    });
    request.once('error', (error) => {
      cancelTimeout();
      this.#log.debug({ path: path.split('?')[0], error: errorMessage(error) }, 'origin did not answer');
      refuse(stream, { status: 502, failure: failure(), message: routerSilent });
    });
    stream.once('close', () => request.destroy());
    sendBody(stream, request, (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0);
  }
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
