import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Answer } from './call.ts';

const compress = promisify(gzip);
/** Below this, compressing costs more than it saves; Kubernetes has the same bound. */
const gzipFromBytes = 128 * 1024;

export async function send(
  response: ServerResponse,
  answer: Exclude<Answer, 'streamed'>,
  options: { gzip: boolean },
): Promise<void> {
  const { status, contentType = 'application/json' } = answer;
  const body = bytesOf(answer.body);
  const isCompressed = options.gzip && body.length >= gzipFromBytes;
  const bytes = isCompressed ? await compress(body, { level: constants.Z_BEST_SPEED }) : body;
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes.length,
    'cache-control': 'no-cache, private',
    ...(isCompressed ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {}),
  });
  response.end(bytes);
}

function bytesOf(body: Buffer | string | object): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
