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

/** Of a list of names, or of objects that have one; what is neither is passed over. */
export function namesIn(value: unknown): string[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.map((entry) => fieldIn(entry, 'name') ?? entry).filter((name) => typeof name === 'string');
}

/** A person's name in this field; empty where nothing is told of them. */
export function personOf(value: unknown, field: string): string {
  return fieldIn(value, field) ?? '';
}

function fieldIn(value: unknown, field: string): string | undefined {
  const found = typeof value === 'object' && value !== null ? (value as JsonRecord)[field] : undefined; // an object, above
  return typeof found === 'string' ? found : undefined;
}

const unexpected = (what: string, wanted: string) =>
  new ProviderUnavailableError('the provider', `answered ${what} that is not ${wanted}`);
