// encoding/json's writer: sorted map keys, floats as Go prints them, <, > and & escaped unless told otherwise.
import { CallError } from '../errors.ts';
import { formatFloat } from '../float.ts';
import { bytesOf } from '../format.ts';
import { GoFunc, GoInt, GoMap, GoSlice, sortedKeys, type Value } from '../value.ts';

interface JsonOptions {
  readonly html: boolean;
  readonly indent?: string;
}

const maxDepth = 1_000;

export function toJsonText(value: Value, options: JsonOptions): string {
  return write(value, options, 0);
}

function write(value: Value, options: JsonOptions, depth: number): string {
  if (depth > maxDepth) throw new CallError('json: unsupported value: encountered a cycle');
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoteJson(value, options.html);
  if (typeof value === 'number') return jsonNumber(value);
  if (value instanceof GoInt) return value.value.toString();
  if (value instanceof GoFunc) throw new CallError('json: unsupported type: func()');
  if (value instanceof GoSlice) {
    if (value.elem === 'uint8') return quoteJson(bytesOf(value).toString('base64'), options.html);
    const items = value.items.map((item) => write(item, options, depth + 1));
    return enclosed(['[', ']'], items, { options, depth });
  }
  if (value instanceof GoMap) {
    const pairs = sortedKeys(value).map((key): [string, Value] => [key, value.entries.get(key)]);
    return writeObject(pairs, options, depth);
  }
  if (value.json !== undefined) return write(value.json, options, depth);
  return writeObject([...value.fields], options, depth);
}

function writeObject(pairs: readonly (readonly [string, Value])[], options: JsonOptions, depth: number): string {
  const colon = options.indent === undefined ? ':' : ': ';
  const members = pairs.map(([key, inner]) => quoteJson(key, options.html) + colon + write(inner, options, depth + 1));
  return enclosed(['{', '}'], members, { options, depth });
}

function enclosed(
  [open, close]: readonly [string, string],
  members: readonly string[],
  { options, depth }: { options: JsonOptions; depth: number },
): string {
  const { indent } = options;
  if (indent === undefined || members.length === 0) return open + members.join(',') + close;
  const inner = `\n${indent.repeat(depth + 1)}`;
  return `${open}${inner}${members.join(`,${inner}`)}\n${indent.repeat(depth)}${close}`;
}

export function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new CallError(`json: unsupported value: ${formatFloat(value, 'g')}`);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-6 || size >= 1e21)) {
    return formatFloat(value, 'e').replace(/e-0(\d)$/, 'e-$1');
  }
  return formatFloat(value, 'f');
}

/** What JavaScript writes as it is and Go does not. */
const escaped = /[\u2028\u2029<>&]/;

export function quoteJson(value: string, html: boolean): string {
  if (!escaped.test(value)) return JSON.stringify(value);
  const quoted = JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return html ? quoted.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026') : quoted;
}
