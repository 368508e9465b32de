// What a call of a route brings, read by the route's own schemas: parameters and queries arrive as texts, are converted by
// what the schema wants, then checked. Whoever serves a route, platform or app-proxy, reads it here. What people and programs
// send may hold no NUL, which no database takes; what runtimes report is looked at object by object where it is stored.
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

interface CheckOptions {
  /**
   * Refuse members of query and body that the route does not know: a misspelt filter would silently select everything.
   * Not for who is called by a newer platform.
   */
  readonly refuseUnknown?: boolean;
}

export function routeInputChecks(
  { auth, params, query, body }: Route,
  refuse: RefuseInput,
  { refuseUnknown = false }: CheckOptions = {},
): RouteInputChecks {
  const isStrict = refuseUnknown && auth !== 'runtime';
  const checked = (where: string, check: Check, value: unknown): unknown => {
    const result = check(value);
    if (!result.ok) throw refuse(where, result.problems);
    const place = auth === 'runtime' ? undefined : placeOfNul(value);
    if (place !== undefined) throw refuse(where, [{ field: place, reason: 'must not have a NUL character' }]);
    return result.value;
  };
  const known = (where: string, schema: object, value: unknown): unknown => {
    const unknown = isStrict ? unknownMember(schema, value) : undefined;
    if (unknown !== undefined) throw refuse(where, [{ field: unknown, reason: 'is not known here' }]);
    return value;
  };
  const checkParams = params && checker(params);
  const checkQuery = query && checker(query);
  const checkBody = body && checker(body);
  return {
    params: (given) => checkParams && checked('path', checkParams, given),
    query: (given) =>
      checkQuery && checked('query', checkQuery, known('query', query, converted(given, query.properties))),
    body: (given) => checkBody && checked('body', checkBody, known('body', body, given)),
  };
}

/** For people: the first problem, with its place. */
export function inputProblemText(where: string, [first]: readonly Problem[]): string {
  const field = first?.field ? `${where} field ${first.field}` : where;
  return `${field}: ${first?.reason ?? 'is not valid'}`;
}

/** Of a schema that is an object with named members only. */
function unknownMember(schema: object, value: unknown): string | undefined {
  const { properties } = schema as { readonly properties?: object };
  if (!properties || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.keys(value).find((member) => !Object.hasOwn(properties, member));
}

/** Dotted path of the first text or key with a NUL; bodies are bounded in size and depth before they get here. */
function placeOfNul(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (key.includes('\0')) return path;
    const place = placeOfNul(member, path === '' ? key : `${path}.${key}`);
    if (place !== undefined) return place;
  }
  return undefined;
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
