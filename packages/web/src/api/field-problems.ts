import { ApiError } from '@fairlead/contracts';

type ByField = Readonly<Record<string, string>>;

/** What the server says of single fields of a request, as sentences to be shown at each. */
export const fieldProblems = (error: Error | null): ByField =>
  Object.fromEntries(Object.entries(fieldReasons(error)).map(([field, reason]) => [field, sentence(reason)]));

/**
 * In the server's words, which may begin with the name of something; the name of the field goes, since it stands above
 * it. Empty where the refusal is about something else.
 */
export function fieldReasons(error: Error | null): ByField {
  if (!(error instanceof ApiError)) return {};
  const { details = {}, message } = error.body;
  const { field, problems } = details;
  if (typeof field === 'string')
    return { [field]: message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message };
  if (!Array.isArray(problems)) return {};
  const told = problems as readonly { readonly field: string; readonly reason: string }[]; // as the server's own checks tell
  return Object.fromEntries(told.map((problem) => [problem.field, problem.reason]));
}

/** Whether one of the fields on screen tells it, so that it need not be said again. */
export const isAtField = (error: Error | null, fields: readonly string[]): boolean =>
  fields.some((field) => field in fieldReasons(error));

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
