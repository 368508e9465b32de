import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiEnv } from './request-context.ts';

/** With its length: without one an answer is compressed however short it is, which costs more than all else about it. */
export function jsonAnswer(context: Context<ApiEnv>, value: unknown, status: ContentfulStatusCode): Response {
  const text = JSON.stringify(value);
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return context.body(text, status, headers);
}
