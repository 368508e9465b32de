// Kubernetes objects sent as protobuf, turned into the JSON they stand for. Clients of the Go family write so; answers go
// back as JSON, which all of them take.
import { type MessageField, messageFields, parseType } from './schema.ts';
import { ProtobufError, readFields, type WireField } from './wire.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';
const magic = Buffer.from('k8s\0');

type Json = Record<string, unknown>;

/** undefined when the kind is not known in this form. */
export function decodeProtobuf(body: Buffer): Json | undefined {
  if (!body.subarray(0, magic.length).equals(magic))
    throw new ProtobufError('the body does not begin as Kubernetes protobuf does');
  const envelope: { apiVersion: string; kind: string; raw: Buffer } = {
    apiVersion: '',
    kind: '',
    raw: Buffer.alloc(0),
  };
  for (const field of readFields(body.subarray(magic.length))) {
    if (field.type !== 'bytes') continue;
    if (field.number === 2) envelope.raw = field.value;
    if (field.number !== 1) continue;
    for (const meta of readFields(field.value)) {
      if (meta.type === 'bytes' && meta.number === 1) envelope.apiVersion = meta.value.toString('utf8');
      if (meta.type === 'bytes' && meta.number === 2) envelope.kind = meta.value.toString('utf8');
    }
  }
  const { apiVersion, kind, raw } = envelope;
  const name = messageName(apiVersion, kind);
  if (!messageFields(name)) return undefined;
  return { apiVersion, kind, ...decodeMessage(raw, name) };
}

function messageName(apiVersion: string, kind: string): string {
  if (kind === 'DeleteOptions') return 'meta/v1.DeleteOptions';
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `${group.split('.')[0]}/${version}.${kind}`;
}

function decodeMessage(buffer: Buffer, name: string): Json {
  const fields = messageFields(name);
  if (!fields) throw new ProtobufError(`there is no message ${name}`);
  const object: Json = {};
  for (const wire of readFields(buffer)) {
    const field = fields.get(wire.number);
    if (field) addField(object, field, wire);
  }
  return object;
}

function addField(object: Json, field: MessageField, wire: WireField): void {
  const { name, shape, type, isPointer } = field;
  if (name === '.') {
    Object.assign(object, decodeMessage(bytesOf(wire), type));
    return;
  }
  if (shape === 'list') {
    const list = object[name];
    const value = decodeValue(wire, type);
    if (Array.isArray(list)) list.push(value);
    else object[name] = [value];
    return;
  }
  if (shape === 'map') {
    object[name] ??= {};
    const map = object[name] as Json; // only this branch writes the member
    const [key, value] = decodeEntry(bytesOf(wire), type);
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const value = shape === 'named-list' ? decodeNamedList(bytesOf(wire), type) : decodeValue(wire, type);
  if (isPointer || !isZero(value)) object[name] = value;
}

const isZero = (value: unknown) =>
  value === '' ||
  value === 0 ||
  value === false ||
  value === null ||
  (typeof value === 'object' && Object.keys(value).length === 0);

function decodeEntry(buffer: Buffer, type: string): [string, unknown] {
  let key = '';
  let value: unknown = type === 's' || type === 'y' ? '' : {};
  const inner = parseType(type);
  for (const wire of readFields(buffer)) {
    if (wire.number === 1) key = bytesOf(wire).toString('utf8');
    else if (wire.number === 2)
      value = inner.shape === 'named-list' ? decodeNamedList(bytesOf(wire), inner.type) : decodeValue(wire, inner.type);
  }
  return [key, value];
}

/** Go's named lists travel as a message with `items` under 1. */
function decodeNamedList(buffer: Buffer, type: string): unknown[] {
  return [...readFields(buffer)].filter(({ number }) => number === 1).map((wire) => decodeValue(wire, type));
}

function bytesOf(wire: WireField): Buffer {
  if (wire.type !== 'bytes') throw new ProtobufError(`field ${wire.number} should be bytes`);
  return wire.value;
}

function decodeValue(wire: WireField, type: string): unknown {
  if (wire.type === 'varint') return type === 'b' ? wire.value !== 0n : Number(wire.value);
  if (wire.type === 'fixed64') return wire.value.readDoubleLE();
  switch (type) {
    case 's':
      return wire.value.toString('utf8');
    case 'y':
      return wire.value.toString('base64');
    case 'T':
      return decodeTime(wire.value, 0);
    case 'U':
      return decodeTime(wire.value, 6);
    case 'Q':
      return first(wire.value, 1)?.toString('utf8') ?? '0';
    case 'I':
      return decodeIntOrString(wire.value);
    case 'D':
      return `${numberOf(wire.value, 1) / 1e9}s`;
    case 'F':
    case 'R':
      return JSON.parse(first(wire.value, 1)?.toString('utf8') ?? 'null');
    default:
      return decodeMessage(wire.value, type);
  }
}

function first(buffer: Buffer, number: number): Buffer | undefined {
  for (const field of readFields(buffer)) if (field.number === number && field.type === 'bytes') return field.value;
  return undefined;
}

function numberOf(buffer: Buffer, number: number): number {
  for (const field of readFields(buffer))
    if (field.number === number && field.type === 'varint') return Number(field.value);
  return 0;
}

/** Kubernetes' zero time has no fields, or the year 1. */
function decodeTime(buffer: Buffer, digits: 0 | 6): string | null {
  const seconds = numberOf(buffer, 1);
  if (buffer.length === 0 || seconds < 0) return null;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return digits === 0 ? `${text}Z` : `${text}.${String(Math.floor(numberOf(buffer, 2) / 1000)).padStart(6, '0')}Z`;
}

/** type (0 number, 1 string), intVal, strVal. */
function decodeIntOrString(buffer: Buffer): number | string {
  return numberOf(buffer, 1) === 0 ? numberOf(buffer, 2) : (first(buffer, 3)?.toString('utf8') ?? '');
}
