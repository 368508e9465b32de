// Request bodies: JSON, plain or gzip, with a limit before and after unpacking and on the depth of nesting.
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readAll, TooLargeError } from '@fairlead/base';
import { ApiFailure } from './failure.ts';

const unpack = promisify(gunzip);
const maxDepth = 200;

export async function readJsonBody(request: IncomingMessage, { maxBytes }: { maxBytes: number }): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new ApiFailure('unsupported_media_type', 'the body must be application/json');
  }
  const raw = await collect(request, maxBytes);
  const bytes = await decoded(raw, request.headers['content-encoding'], maxBytes);
  if (depthOf(bytes) > maxDepth)
    throw new ApiFailure('bad_request', `the body is nested deeper than ${maxDepth} levels`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new ApiFailure('bad_request', 'the body is not JSON');
  }
}

const tooLarge = (maxBytes: number) => new ApiFailure('too_large', `the body is larger than ${maxBytes} bytes`);

async function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  try {
    return await readAll(request, { maxBytes });
  } catch (error) {
    throw error instanceof TooLargeError ? tooLarge(maxBytes) : error;
  }
}

async function decoded(raw: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return raw;
  if (encoding !== 'gzip') throw new ApiFailure('unsupported_media_type', 'the body may be plain or gzip');
  try {
    return await unpack(raw, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new ApiFailure('bad_request', 'the body is not gzip');
  }
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]');

/** How deep objects and arrays nest, without parsing: a deep body would overflow the stack of those who walk it. */
function depthOf(json: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (inString) {
      if (byte === backslash) i++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) deepest = Math.max(deepest, ++depth);
    else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return deepest;
}
