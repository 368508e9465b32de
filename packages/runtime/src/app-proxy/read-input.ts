// The body of a request as JSON, and the refusal of input that a route does not take.
import { readAll, TooLargeError } from '@fairlead/base';
import { inputProblemText, type Problem } from '@fairlead/contracts';
import type { Context } from 'hono';
import { ProxyError } from './errors.ts';
import type { ProxyEnv } from './request-context.ts';

const maxBodyBytes = 1024 * 1024;

/** The first problem is the message, all are in the details. */
export function invalidInput(where: string, problems: readonly Problem[]): ProxyError {
  return new ProxyError('bad_request', inputProblemText(where, problems), { details: { in: where, problems } });
}

export async function readJson(context: Context<ProxyEnv>): Promise<unknown> {
  const text = await readText(context);
  try {
    return JSON.parse(text || '{}');
  } catch {
    throw new ProxyError('bad_request', 'the body is not JSON');
  }
}

async function readText(context: Context<ProxyEnv>): Promise<string> {
  try {
    return (await readAll(context.req.raw.body, { maxBytes: maxBodyBytes })).toString('utf8');
  } catch (error) {
    if (error instanceof TooLargeError) throw new ProxyError('too_large', error.message);
    throw error;
  }
}
