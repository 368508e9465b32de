// Fields of an answer that somebody else wrote: read by name, of the type we need, or an error that names the field.
import { ProviderUnavailableError } from './errors.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function recordOf(value: unknown, what: string): JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpected(what, 'an object');
  return value as JsonRecord; // checked above
}

export function recordsOf(value: unknown, what: string): JsonRecord[] {
  if (!Array.isArray(value)) throw unexpected(what, 'a list');
  return value.map((item) => recordOf(item, what));
}

export function textOf(record: JsonRecord, field: string): string {
  const value = record[field];
  if (typeof value !== 'string') throw unexpected(`"${field}"`, 'a text');
  return value;
}

export function numberOf(record: JsonRecord, field: string): number {
  const value = record[field];
  if (typeof value !== 'number') throw unexpected(`"${field}"`, 'a number');
  return value;
}

const unexpected = (what: string, wanted: string) =>
  new ProviderUnavailableError('the provider', `answered ${what} that is not ${wanted}`);
