import { ApiError } from '@fairlead/contracts';

/**
 * What the server says of single fields of a request, by field, to be shown at each; the name of the field goes, since it
 * stands above it. Empty where the refusal is about something else.
 */
export function fieldProblems(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  const { details = {}, message } = error.body;
  const { field, problems } = details;
  if (typeof field === 'string') return { [field]: sentence(message.replace(new RegExp(`^${field}: `), '')) };
  if (!Array.isArray(problems)) return {};
  const told = problems as readonly { readonly field: string; readonly reason: string }[]; // as the server's own checks tell
  return Object.fromEntries(told.map((problem) => [problem.field, sentence(problem.reason)]));
}

/** Whether one of the fields on screen tells it, so that it need not be said again. */
export const isAtField = (error: Error | null, fields: readonly string[]): boolean =>
  fields.some((field) => field in fieldProblems(error));

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
