// Custom objects against their schema, in the words Kubernetes uses.
import { equalJson, isRecord } from '@fairlead/kube/object';
import { celErrors } from './cel.ts';
import { isOfFormat } from './formats.ts';
import type { Schema } from './schema.ts';

export interface SchemaError {
  readonly type:
    | 'Required'
    | 'Invalid'
    | 'NotSupported'
    | 'Duplicate'
    | 'TooLong'
    | 'TooMany'
    | 'TypeInvalid'
    | 'Forbidden';
  readonly field: string;
  readonly message: string;
  readonly value?: unknown;
  readonly shown?: string;
}

export function validateBySchema(value: unknown, schema: Schema, previous: unknown): readonly SchemaError[] {
  const errors = validateValue(value, schema, '');
  // Rules may rely on types: they are asked only of what is well formed.
  if (errors.length === 0) return celErrors(value, schema, { previous, path: '' });
  return errors.some(({ type }) => blocking.includes(type)) && hasRules(schema) ? [...errors, unchecked] : errors;
}

/** After these nothing can be said of the rest. */
const blocking: readonly SchemaError['type'][] = ['Required', 'TypeInvalid', 'NotSupported', 'TooLong', 'TooMany'];
const unchecked: SchemaError = {
  type: 'Invalid',
  field: '<nil>',
  message:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  value: 'null',
};

function hasRules({ properties = {}, items, additionalProperties, ...schema }: Schema): boolean {
  if (Array.isArray(schema['x-kubernetes-validations'])) return true;
  const nested = [...Object.values(properties), ...(items ? [items] : [])];
  if (typeof additionalProperties === 'object') nested.push(additionalProperties);
  return nested.some(hasRules);
}

function validateValue(value: unknown, schema: Schema, path: string): SchemaError[] {
  if (value === null && schema['nullable'] === true) return [];
  const wrongType = checkType(value, schema, path);
  if (wrongType) return [wrongType];
  return [
    ...checkEnum(value, schema, path),
    ...(typeof value === 'string' ? checkString(value, schema, path) : []),
    ...(typeof value === 'number' ? checkNumber(value, schema, path) : []),
    ...(Array.isArray(value) ? checkList(value, schema, path) : []),
    ...(isRecord(value) ? checkRecord(value, schema, path) : []),
    ...checkJunctors(value, schema, path),
  ];
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function checkType(value: unknown, schema: Schema, path: string): SchemaError | undefined {
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const wanted = isIntOrString ? ['integer', 'string'] : schema.type === undefined ? [] : [schema.type];
  const actual = typeNameOf(value);
  const fits = wanted.length === 0 || wanted.includes(actual) || (wanted.includes('number') && actual === 'integer');
  if (fits) return undefined;
  const message = `${path} in body must be of type ${wanted.join(',')}: ${JSON.stringify(actual)}`;
  return { type: 'TypeInvalid', field: path, message, value: actual };
}

function checkEnum(value: unknown, { enum: values }: Schema, path: string): SchemaError[] {
  if (!values || values.some((allowed) => equalJson(allowed, value))) return [];
  const message = `supported values: ${values.map((allowed) => JSON.stringify(allowed)).join(', ')}`;
  return [{ type: 'NotSupported', field: path, message, value }];
}

const numberOf = (schema: Schema, key: string) => (typeof schema[key] === 'number' ? schema[key] : undefined);

function checkString(value: string, schema: Schema, path: string): SchemaError[] {
  const invalid = (message: string): SchemaError => ({
    type: 'Invalid',
    field: path,
    message: `${path} in body ${message}`,
    value,
  });
  const errors: SchemaError[] = [];
  const [min, max] = [numberOf(schema, 'minLength'), numberOf(schema, 'maxLength')];
  const length = [...value].length;
  if (max !== undefined && length > max)
    errors.push({ type: 'TooLong', field: path, message: `may not be more than ${max} bytes` });
  if (min !== undefined && length < min) errors.push(invalid(`should be at least ${min} chars long`));
  const { pattern } = schema;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
    errors.push(invalid(`should match '${pattern}'`));
  const { format } = schema;
  if (format !== undefined && !isOfFormat(value, format)) {
    errors.push({ ...invalid(`must be of type ${format}: ${JSON.stringify(value)}`), type: 'TypeInvalid' });
  }
  return errors;
}

function checkNumber(value: number, schema: Schema, path: string): SchemaError[] {
  const invalid = (message: string): SchemaError => ({
    type: 'Invalid',
    field: path,
    message: `${path} in body ${message}`,
    value,
  });
  const [min, max, step] = [numberOf(schema, 'minimum'), numberOf(schema, 'maximum'), numberOf(schema, 'multipleOf')];
  const below =
    schema['exclusiveMinimum'] === true ? (limit: number) => value <= limit : (limit: number) => value < limit;
  const above =
    schema['exclusiveMaximum'] === true ? (limit: number) => value >= limit : (limit: number) => value > limit;
  return [
    ...(max !== undefined && above(max)
      ? [invalid(`should be less than ${schema['exclusiveMaximum'] === true ? '' : 'or equal to '}${max}`)]
      : []),
    ...(min !== undefined && below(min)
      ? [invalid(`should be greater than ${schema['exclusiveMinimum'] === true ? '' : 'or equal to '}${min}`)]
      : []),
    ...(step !== undefined && value % step !== 0 ? [invalid(`should be a multiple of ${step}`)] : []),
  ];
}

function checkList(value: readonly unknown[], schema: Schema, path: string): SchemaError[] {
  const errors: SchemaError[] = [];
  const [min, max] = [numberOf(schema, 'minItems'), numberOf(schema, 'maxItems')];
  const { length } = value;
  if (max !== undefined && length > max) {
    errors.push({ type: 'TooMany', field: path, message: `must have at most ${max} items`, value: length });
  }
  if (min !== undefined && length < min) {
    errors.push({
      type: 'Invalid',
      field: path,
      message: `${path} in body should have at least ${min} items`,
      value: length,
    });
  }
  errors.push(...repeatedItems(value, schema, path));
  const { items } = schema;
  if (items) errors.push(...value.flatMap((item, index) => validateValue(item, items, `${path}[${index}]`)));
  return errors;
}

function repeatedItems(value: readonly unknown[], schema: Schema, path: string): SchemaError[] {
  const kind = schema['x-kubernetes-list-type'];
  if (kind !== 'map' && kind !== 'set') return [];
  const keys = Array.isArray(schema['x-kubernetes-list-map-keys'])
    ? schema['x-kubernetes-list-map-keys'].map(String)
    : [];
  const seen = new Set<string>();
  return value.flatMap((item, index) => {
    const identity = kind === 'map' && isRecord(item) ? Object.fromEntries(keys.map((key) => [key, item[key]])) : item;
    const text = JSON.stringify(identity);
    const isRepeated = seen.has(text);
    seen.add(text);
    if (!isRepeated) return [];
    const shown = kind === 'map' ? `map[string]interface {}${text}` : text;
    return [{ type: 'Duplicate' as const, field: `${path}[${index}]`, message: '', shown }];
  });
}

function checkRecord(value: Record<string, unknown>, schema: Schema, path: string): SchemaError[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const missing = required.filter((name) => value[name] === undefined);
  return [
    ...missing.map((name): SchemaError => ({ type: 'Required', field: at(name), message: '' })),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const nested = field ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      const isIdentity = path === '' && (name === 'metadata' || name === 'apiVersion' || name === 'kind');
      return nested && !isIdentity ? validateValue(inner, nested, at(name)) : [];
    }),
  ];
}

const schemasOf = (schema: Schema, key: string) => (Array.isArray(schema[key]) ? (schema[key] as Schema[]) : []); // by OpenAPI's rule

function checkJunctors(value: unknown, schema: Schema, path: string): SchemaError[] {
  const fits = (inner: Schema) => validateValue(value, inner, path).length === 0;
  const invalid = (message: string): SchemaError => ({
    type: 'Invalid',
    field: path,
    message,
    value: typeNameOf(value),
  });
  const [anyOf, oneOf] = [schemasOf(schema, 'anyOf'), schemasOf(schema, 'oneOf')];
  const { not } = schema;
  return [
    ...schemasOf(schema, 'allOf').flatMap((inner) => validateValue(value, inner, path)),
    ...(anyOf.length > 0 && !anyOf.some(fits)
      ? [invalid(`${path} in body must validate at least one schema (anyOf)`)]
      : []),
    ...(oneOf.length > 0 && oneOf.filter(fits).length !== 1
      ? [invalid(`${path} in body must validate one and only one schema (oneOf)`)]
      : []),
    ...(isRecord(not) && fits(not) ? [invalid(`${path} in body must not validate the schema (not)`)] : []),
  ];
}
