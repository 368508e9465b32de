// Custom objects by their structural schema: members nobody declared are dropped, defaults are filled in.
import { isRecord } from '@fairlead/kube/object';
import type { Schema } from './schema.ts';

const identity = ['apiVersion', 'kind', 'metadata'];

/** Drops what the schema does not declare and tells where it was. */
export function prune(
  object: Record<string, unknown>,
  schema: Schema,
): { value: Record<string, unknown>; unknown: string[] } {
  const unknown: string[] = [];
  const kept = pruneRecord(object, schema, { path: '', unknown, isObject: true });
  return { value: kept, unknown };
}

interface Place {
  readonly path: string;
  readonly unknown: string[];
  /** A whole object: its identity needs no declaration. */
  readonly isObject?: boolean;
}

function pruneValue(value: unknown, schema: Schema | undefined, place: Place): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => pruneValue(item, schema.items, { ...place, path: `${place.path}[${index}]` }));
  }
  if (!isRecord(value)) return value;
  return pruneRecord(value, schema, { ...place, isObject: schema['x-kubernetes-embedded-resource'] === true });
}

function pruneRecord(value: Record<string, unknown>, schema: Schema, place: Place): Record<string, unknown> {
  const { properties = {}, additionalProperties } = schema;
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true;
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const at = { path, unknown: place.unknown };
    if (place.isObject && identity.includes(name)) kept[name] = inner;
    else if (Object.hasOwn(properties, name)) kept[name] = pruneValue(inner, properties[name], at);
    else if (typeof additionalProperties === 'object') kept[name] = pruneValue(inner, additionalProperties, at);
    else if (keepsAll) kept[name] = inner;
    else place.unknown.push(path);
  }
  return kept;
}

/** The value with what its schema gives to absent members; a null that may not be one counts as absent. */
export function fillDefaults(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return schema.items ? value.map((item) => fillDefaults(item, schema.items ?? {})) : value;
  if (!isRecord(value)) return value;
  const { properties = {}, additionalProperties } = schema;
  const filled: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const nested = field ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (inner === null && field && field['nullable'] !== true) continue;
    filled[name] = nested ? fillDefaults(inner, nested) : inner;
  }
  for (const [name, field] of Object.entries(properties)) {
    if (filled[name] === undefined && field.default !== undefined) filled[name] = fillDefaults(field.default, field);
  }
  return filled;
}
