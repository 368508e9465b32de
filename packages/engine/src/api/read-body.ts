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
