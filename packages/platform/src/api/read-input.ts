// Parameters and queries arrive as texts; they are converted by what the schema wants, then checked.
import { type Checked, checker, type Route } from '@fairlead/contracts';
import { invalidInput } from './failure.ts';

type Check = (value: unknown) => Checked<unknown>;

/** The checks of one route, compiled once. */
export interface InputChecks {
  readonly params: (given: Record<string, string>) => unknown;
  readonly query: (given: Record<string, string>) => unknown;
  readonly body: (given: unknown) => unknown;
}

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
