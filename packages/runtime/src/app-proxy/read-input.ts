// Parameters and queries arrive as texts; they are converted by what the schema wants, then checked.
import { readAll, TooLargeError } from '@fairlead/base';
import { type Checked, checker, type Problem, type Route } from '@fairlead/contracts';
import type { Context } from 'hono';
import { ProxyError } from './errors.ts';
import type { ProxyEnv } from './request-context.ts';

type Check = (value: unknown) => Checked<unknown>;

/** The checks of one route, compiled once. */
export interface InputChecks {
  readonly params: (given: Record<string, string>) => unknown;
  readonly query: (given: Record<string, string>) => unknown;
  readonly body: (given: unknown) => unknown;
}

const maxBodyBytes = 1024 * 1024;

export function inputChecks({ params, query, body }: Route): InputChecks {
  const checkParams = params && checker(params);
  const checkQuery = query && checker(query);
  const checkBody = body && checker(body);
  return {
    params: (given) => checkParams && checked('path', checkParams, given),
    query: (given) => checkQuery && checked('query', checkQuery, converted(given, query.properties)),
    body: (given) => checkBody && checked('body', checkBody, given),
  };
}

function checked(where: string, check: Check, value: unknown): unknown {
  const result = check(value);
  if (!result.ok) throw invalidInput(where, result.problems);
  return result.value;
}

/** The first problem is the message, all are in the details. */
function invalidInput(where: string, problems: readonly Problem[]): ProxyError {
  const [first] = problems;
  const field = first?.field ? `${where} field ${first.field}` : where;
  const details = { in: where, problems };
  return new ProxyError('bad_request', `${field}: ${first?.reason ?? 'is not valid'}`, { details });
}

function converted(given: Record<string, string>, properties: object): Record<string, unknown> {
  const schemas = properties as Record<string, { readonly type?: string } | undefined>;
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, text]) => text !== '')
      .map(([key, text]) => [key, convert(text, schemas[key]?.type)]),
  );
}

/** A text that does not convert stays a text, so that the check names the field and what it should be. */
function convert(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
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
