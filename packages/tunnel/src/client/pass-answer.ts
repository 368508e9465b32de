// The origin's answer on its way back, and the answers that this end of the tunnel gives itself.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { forwardedHeaders, type HopFailure, tunnelErrorHeader } from '../wire/index.ts';

/** Until the origin's answer begins; an answer that streams may then take as long as it likes. */
const answerTimeoutMs = 60_000;

export function answerDeadline(request: ClientRequest): () => void {
  const timer = setTimeout(() => request.destroy(new Error(`no answer within ${answerTimeoutMs} ms`)), answerTimeoutMs);
  return () => clearTimeout(timer);
}

export function passAnswer(stream: ServerHttp2Stream, answer: IncomingMessage): void {
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

export const routerSilent = 'its request router does not answer';

interface Refusal {
  readonly status: number;
  readonly failure: HopFailure | 'refused';
  readonly message: string;
}

export function refuse(stream: ServerHttp2Stream, { status, failure, message }: Refusal): void {
  if (stream.destroyed) return;
  if (stream.headersSent) {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  stream.respond({ ':status': status, 'content-type': 'application/json', [tunnelErrorHeader]: failure });
  stream.end(JSON.stringify({ code: 'runtime_unreachable', message }));
}
