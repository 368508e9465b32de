// JSON objects whose keys come from a repository: written by `put` only, so that no key reaches a prototype.
import { RenderError } from '../errors.ts';

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const own = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);

export function put(fields: Fields, key: string, value: unknown): void {
  Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The object at `key`, made when there is none. */
export function childOf(fields: Fields, key: string): Fields {
  const found = own(fields, key);
  if (isFields(found)) return found;
  const made: Fields = {};
  put(fields, key, made);
  return made;
}

/** A map of texts, as labels and annotations are; `where` names it in errors. */
export function textMap(value: unknown, where: string): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (!isFields(value)) throw new RenderError(`${where}: must be a map of strings`);
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'string') throw new RenderError(`${where}: ${key} must be a string`);
  }
  return value as Record<string, string>; // checked above
}
