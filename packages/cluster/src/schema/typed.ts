// What server-side apply reads before it merges: the members must be declared, of their type, and items of keyed lists told
// apart. Says the first thing that is wrong, as Kubernetes does.
import { isRecord } from '@fairlead/kube/object';
import { resolved, type Schema } from './schema.ts';

/** undefined when nothing is wrong; `.data: expected map, got &{[x]}` otherwise. */
export function typedProblem(value: unknown, schema: Schema): string | undefined {
  return problemAt(value, schema, '');
}

const free = [
  'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
];

function problemAt(value: unknown, given: Schema, path: string): string | undefined {
  if (value === null || value === undefined || free.includes(given.$ref ?? '')) return undefined;
  const schema = resolved(given);
  if (schema['x-kubernetes-int-or-string'] === true) return undefined;
  const expected = (wanted: string) => `${path}: expected ${wanted}, got &{${goText(value)}}`;
  if (schema.type === 'array') return Array.isArray(value) ? listProblem(value, schema, path) : expected('list');
  const isMap =
    schema.properties !== undefined || schema.type === 'object' || schema.additionalProperties !== undefined;
  if (isMap) return isRecord(value) ? mapProblem(value, schema, path) : expected('map');
  if (schema.type === 'string' && typeof value !== 'string') return expected('string');
  if (schema.type === 'boolean' && typeof value !== 'boolean') return expected('boolean');
  const isNumeric = schema.type === 'integer' || schema.type === 'number';
  return isNumeric && typeof value !== 'number' ? expected('numeric (int or float)') : undefined;
}

function mapProblem(value: Record<string, unknown>, schema: Schema, path: string): string | undefined {
  const { properties, additionalProperties } = schema;
  const isOpen = properties === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  for (const [name, inner] of Object.entries(value)) {
    const at = `${path}.${name}`;
    const field = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const nested = field ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (!nested && !isOpen) return `${at}: field not declared in schema`;
    const problem = nested && problemAt(inner, nested, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function listProblem(list: readonly unknown[], schema: Schema, path: string): string | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const name = Array.isArray(keys) && isRecord(item) ? keyText(item, keys.map(String), schema) : `[${index}]`;
    if (Array.isArray(keys) && seen.has(name)) return `${path}: duplicate entries for key ${name}`;
    seen.add(name);
    const problem = schema.items && problemAt(item, schema.items, `${path}${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function keyText(item: Record<string, unknown>, keys: readonly string[], schema: Schema): string {
  const properties = schema.items ? (resolved(schema.items).properties ?? {}) : {};
  return `[${keys.map((key) => `${key}=${JSON.stringify(item[key] ?? properties[key]?.default)}`).join(',')}]`;
}

function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isRecord(value)) return value === null ? '<nil>' : String(value);
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${pairs.map(([key, inner]) => `${key}:${goText(inner)}`).join(' ')}]`;
}
