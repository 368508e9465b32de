// What a call of a route brings, read by the route's own schemas: parameters and queries arrive as texts, are converted by
// what the schema wants, then checked. Whoever serves a route, platform or app-proxy, reads it here.
import { type Checked, checker, type Problem } from '../check.ts';
import type { Route } from './route.ts';

type Check = (value: unknown) => Checked<unknown>;

/** The error to throw for input that is not valid; `where` is `path`, `query` or `body`. */
export type RefuseInput = (where: string, problems: readonly Problem[]) => Error;

/** The checks of one route, compiled once. */
export interface RouteInputChecks {
  readonly params: (given: Record<string, string>) => unknown;
  readonly query: (given: Record<string, string>) => unknown;
  readonly body: (given: unknown) => unknown;
}

export function routeInputChecks({ params, query, body }: Route, refuse: RefuseInput): RouteInputChecks {
  const checked = (where: string, check: Check, value: unknown): unknown => {
    const result = check(value);
    if (!result.ok) throw refuse(where, result.problems);
    return result.value;
  };
  const checkParams = params && checker(params);
  const checkQuery = query && checker(query);
  const checkBody = body && checker(body);
  return {
    params: (given) => checkParams && checked('path', checkParams, given),
    query: (given) => checkQuery && checked('query', checkQuery, converted(given, query.properties)),
    body: (given) => checkBody && checked('body', checkBody, given),
  };
}

/** For people: the first problem, with its place. */
export function inputProblemText(where: string, [first]: readonly Problem[]): string {
  const field = first?.field ? `${where} field ${first.field}` : where;
  return `${field}: ${first?.reason ?? 'is not valid'}`;
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
