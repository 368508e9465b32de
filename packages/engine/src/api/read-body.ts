import { readAll, TooLargeError } from '@fairlead/base';
import type { Context } from 'hono';
import { ArgoError } from './argo-error.ts';

/** The request's text, refused past `maxBytes`. */
export async function readText(context: Context, maxBytes: number): Promise<string> {
  try {
    return (await readAll(context.req.raw.body, { maxBytes })).toString('utf8');
  } catch (error) {
    throw error instanceof TooLargeError ? new ArgoError('InvalidArgument', error.message) : error;
  }
}

/** Larger than any object Kubernetes would take. */
const maxBodyBytes = 4 * 1024 * 1024;

export async function jsonBody(context: Context, empty?: unknown): Promise<unknown> {
  const text = await readText(context, maxBodyBytes);
  if (text === '' && empty !== undefined) return empty;
  return parseJson(text, 'body');
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ArgoError('InvalidArgument', `${what} is not JSON`);
  }
}
