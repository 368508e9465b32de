// Reading a built-in object as Kubernetes' Go types would: unknown members are dropped and told, wrong types refused in
// Go's words, nulls and optional members without content vanish, members that are always there appear.
import { isRecord } from '@fairlead/kube/object';
import { canonicalQuantity, quantityRule } from './quantity.ts';
import { resolved, type Schema } from './schema.ts';
import { isUnwrittenZero } from './zero-members.ts';

/** The object cannot be read; the message is what Kubernetes would say after "cannot be handled as a …: ". */
export class DecodeError extends Error {}

export interface Decoded {
  readonly value: Record<string, unknown>;
  /** Members that no field is called by, in the order of the document. */
  readonly unknown: readonly string[];
}

interface Place {
  /** As people read it: `spec.containers[0].image`. */
  readonly path: string;
  /** As Go's JSON reader tells it: the struct's name, then members from the root. */
  readonly struct: string;
  /** The type that the members are of, by its full name. */
  readonly type?: string | undefined;
  readonly members: readonly string[];
  readonly unknown: string[];
  /** What a kind holds before anybody wrote: required lists are there, empty. */
  readonly isZero?: boolean;
}

/** The members a kind has before anybody wrote any. */
export function zeroValue(schema: Schema): Record<string, unknown> {
  return decodeStruct({}, resolved(schema), { path: '', struct: '', members: [], unknown: [], isZero: true });
}

export function decodeObject(value: Record<string, unknown>, schema: Schema, kind: string): Decoded {
  const unknown: string[] = [];
  const decoded = decodeStruct(value, resolved(schema), { path: '', struct: kind, members: [], unknown });
  return { value: decoded, unknown };
}

/** Throws when the metadata of an object whose kind is not built in cannot be read. */
export function decodeMetadata(metadata: Readonly<Record<string, unknown>>): void {
  decodeObject({ ...metadata }, { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }, 'ObjectMeta');
}

const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';

function decodeValue(value: unknown, given: Schema, place: Place): unknown {
  if (given.$ref === quantity) return decodeQuantity(value, place);
  if (given.$ref === intOrString) {
    if (typeof value === 'string' || Number.isInteger(value)) return value;
    throw mismatch(value, 'intstr.IntOrString', place);
  }
  const schema = resolved(given);
  if (schema.type === 'array') return decodeList(value, schema, place);
  if (schema.properties) {
    if (!isRecord(value)) throw mismatch(value, goType(given), place);
    const struct = given.$ref === undefined ? place.struct : lastName(given.$ref);
    return decodeStruct(value, schema, { ...place, struct, type: given.$ref });
  }
  if (typeof schema.additionalProperties === 'object') return decodeMap(value, schema, place);
  return decodeScalar(value, schema, place);
}

function decodeStruct(value: Record<string, unknown>, schema: Schema, place: Place): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  const decoded: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const path = place.path === '' ? name : `${place.path}.${name}`;
    if (!field) {
      place.unknown.push(path);
      continue;
    }
    if (inner === null || inner === undefined) continue;
    const read = decodeValue(inner, field, { ...place, path, members: [...place.members, name] });
    const isNothing = isEmptyCollection(read, field) || isUnwrittenZero(place.type ?? '', name, read);
    if (isNothing && !required.includes(name)) continue;
    decoded[name] = read;
  }
  for (const [name, field] of Object.entries(properties)) {
    if (decoded[name] !== undefined) continue;
    if (field.default !== undefined) decoded[name] = zeroOf(field, place.isZero ?? false);
    else if (place.isZero && field.type === 'array' && required.includes(name)) decoded[name] = [];
    // A condition tells that nobody knows since when.
    else if (!place.isZero && /Condition$/.test(place.struct) && name.startsWith('last') && name.endsWith('Time'))
      decoded[name] = null;
    // Templates tell that they were never created.
    else if (name === 'creationTimestamp' && place.struct === 'ObjectMeta' && place.path !== 'metadata')
      decoded[name] = null;
  }
  return decoded;
}

/** Lists and maps without members are not written; a struct without members is. */
function isEmptyCollection(value: unknown, field: Schema): boolean {
  if (Array.isArray(value)) return value.length === 0;
  const { additionalProperties } = resolved(field);
  return isRecord(value) && typeof additionalProperties === 'object' && Object.keys(value).length === 0;
}

/** What stands in a member that is always there when nobody has given it. */
function zeroOf(field: Schema, isZero: boolean): unknown {
  const schema = resolved(field);
  if (!schema.properties) return field.default;
  return decodeStruct({}, schema, { path: '', struct: lastName(field.$ref ?? ''), members: [], unknown: [], isZero });
}

function decodeList(value: unknown, schema: Schema, place: Place): unknown[] {
  if (!Array.isArray(value)) throw mismatch(value, goType(schema), place);
  const { items = {} } = schema;
  return value.map((item: unknown, index) => {
    const at = { ...place, path: `${place.path}[${index}]` };
    return item === null ? zeroOf(items, false) : decodeValue(item, items, at);
  });
}

function decodeMap(value: unknown, schema: Schema, place: Place): Record<string, unknown> {
  if (!isRecord(value)) throw mismatch(value, goType(schema), place);
  const item = schema.additionalProperties as Schema; // the caller has looked
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const at = { ...place, path: `${place.path}.${key}` };
    return [key, inner === null ? (item.default ?? '') : decodeValue(inner, item, at)];
  });
  return Object.fromEntries(entries);
}

function decodeQuantity(value: unknown, place: Place): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') throw mismatch(value, 'resource.Quantity', place);
  const canonical = canonicalQuantity(String(value));
  if (canonical === undefined) throw new DecodeError(quantityRule);
  return canonical;
}

function decodeScalar(value: unknown, schema: Schema, place: Place): unknown {
  const { type } = schema;
  if (type === 'string' && typeof value !== 'string') throw mismatch(value, goType(schema), place);
  if (type === 'boolean' && typeof value !== 'boolean') throw mismatch(value, 'bool', place);
  if (type === 'integer' && !Number.isInteger(value)) throw mismatch(value, goType(schema), place);
  if (type === 'number' && typeof value !== 'number') throw mismatch(value, goType(schema), place);
  if (
    schema.format === 'byte' &&
    !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(String(value))
  ) {
    const at = /[^A-Za-z0-9+/]/.exec(String(value))?.index ?? String(value).length;
    throw new DecodeError(`illegal base64 data at input byte ${at}`);
  }
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(String(value)))) throw badTime(String(value));
  return value;
}

const layout = '2006-01-02T15:04:05Z07:00';
const badTime = (text: string) =>
  new DecodeError(
    `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(text)} as "2006"`,
  );

function mismatch(value: unknown, type: string, { struct, members }: Place): DecodeError {
  const shown = typeof value === 'number' && type.startsWith('int') ? `number ${value}` : jsonTypeOf(value);
  return new DecodeError(
    `json: cannot unmarshal ${shown} into Go struct field ${struct}.${members.join('.')} of type ${type}`,
  );
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return value === null ? 'null' : typeof value;
}

const lastName = (reference: string) => reference.split('.').at(-1) ?? '';

function goType(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('.').slice(-2).join('.');
  if (schema.type === 'array') return `[]${goType(schema.items ?? {})}`;
  if (typeof schema.additionalProperties === 'object') return `map[string]${goType(schema.additionalProperties)}`;
  if (schema.type === 'integer') return schema.format ?? 'int64';
  if (schema.type === 'boolean') return 'bool';
  return schema.format === 'byte' ? 'uint8' : (schema.type ?? 'interface {}');
}
