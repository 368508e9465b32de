// Answers that are whole texts, written straight to the socket's response: a Response object of the web's kind costs more
// than all else about a page of a list. Long ones are packed, off this thread, when the client takes gzip.
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { ApiEnv } from './request-context.ts';

const pack = promisify(gzip);
const packFromBytes = 4_096;

interface TextToSend {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export async function sendText(context: Context<ApiEnv>, { status, contentType, text }: TextToSend): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const headers: Record<string, string | number> = { 'content-type': contentType };
  let body = Buffer.from(text);
  if (body.length >= packFromBytes) {
    headers['vary'] = 'accept-encoding';
    if (takesGzip(incoming.headers['accept-encoding'])) {
      body = await pack(body, { level: constants.Z_BEST_SPEED });
      headers['content-encoding'] = 'gzip';
    }
  }
  headers['content-length'] = body.length;
  outgoing.writeHead(status, headers);
  outgoing.end(body);
  context.set('sentStatus', status);
  return RESPONSE_ALREADY_SENT;
}

export const sendJson = (context: Context<ApiEnv>, value: unknown, status: number): Promise<Response> =>
  sendText(context, { status, contentType: 'application/json', text: JSON.stringify(value) });

/** `gzip` or `*`, unless its weight is zero. */
const takesGzip = (accepted: string | string[] | undefined): boolean =>
  String(accepted ?? '')
    .split(',')
    .some((each) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$)|$)/i.test(each));
