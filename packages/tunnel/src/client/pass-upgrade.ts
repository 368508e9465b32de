// A WebSocket through the tunnel (RFC 8441 on this hop, RFC 6455 on the next): the handshake is made anew with the local
// origin, then the bytes of the frames pass untouched, each way only as fast as the other side takes them.
import { createHash, randomBytes } from 'node:crypto';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { forwardedHeaders, watchHop } from '../wire/index.ts';
import { answerDeadline, passAnswer, refuse, routerSilent } from './pass-answer.ts';

interface Upgrade {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly origin: URL;
}

/** RFC 6455 §1.3: what a server that understood the handshake makes of the key. */
const acceptGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export function passUpgrade({ stream, headers, path, origin }: Upgrade): void {
  const key = randomBytes(16).toString('base64');
  const request = sendRequest({
    agent: false,
    hostname: origin.hostname,
    port: origin.port || 80,
    method: 'GET',
    path,
    headers: {
      ...forwardedHeaders(headers),
      host: origin.host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': key,
      'sec-websocket-version': '13',
    },
  });
  const failure = watchHop(request);
  const cancelDeadline = answerDeadline(request);
  request.once('upgrade', (answer, socket, head) => {
    cancelDeadline();
    if (stream.destroyed || !isAccepted(answer, key)) {
      socket.destroy();
      const message = 'the target did not answer the WebSocket handshake as one';
      refuse(stream, { status: 502, failure: 'refused', message });
      return;
    }
    stream.respond({ ':status': 200, ...negotiated(answer) });
    join(stream, socket, head);
  });
  request.once('response', (answer) => {
    cancelDeadline();
    passAnswer(stream, answer);
  });
  request.once('error', () => {
    cancelDeadline();
    refuse(stream, { status: 502, failure: failure(), message: routerSilent });
  });
  stream.once('close', () => request.destroy());
  request.end();
}

function isAccepted({ headers }: IncomingMessage, key: string): boolean {
  const expected = createHash('sha1').update(`${key}${acceptGuid}`).digest('base64');
  return headers.upgrade?.toLowerCase() === 'websocket' && headers['sec-websocket-accept'] === expected;
}

/** The key and its answer belong to the hop that ends here. */
function negotiated({ headers }: IncomingMessage): Record<string, string | string[]> {
  const { 'sec-websocket-accept': _, ...rest } = headers;
  return forwardedHeaders(rest);
}

/** Not `pipeline`: it destroys the stream when the socket closes, and the last frames would be lost. */
function join(stream: ServerHttp2Stream, socket: Socket, head: Buffer): void {
  socket.setTimeout(0);
  socket.setNoDelay(true);
  socket.on('error', () => undefined); // `close` follows
  if (head.length > 0) socket.unshift(head);
  socket.pipe(stream);
  stream.pipe(socket);
  socket.once('close', () => {
    stream.close(socket.readableEnded ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_CANCEL);
  });
  stream.once('close', () => socket.destroySoon());
}
