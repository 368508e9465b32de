// The suffix that kustomize puts behind the names of generated objects: ten letters of a digest of their content, with
// the letters that could form words replaced.
import { sha256Hex } from '@fairlead/base';
import { type Fields, isFields } from './fields.ts';
import type { Resource } from './resource.ts';

const replaced: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

export function hashSuffix(resource: Resource): string {
  const digest = sha256Hex(goJson(hashedPart(resource)));
  return [...digest.slice(0, 10)].map((letter) => replaced[letter] ?? letter).join('');
}

/** The name never counts: kustomize hashes an empty one. */
function hashedPart({ kind, fields, id }: Resource): unknown {
  const name = '';
  const { data = '', binaryData, stringData, type = '' } = fields;
  if (id.group === '' && kind === 'ConfigMap') {
    return { kind, name, data, ...(isFields(binaryData) && { binaryData }) };
  }
  if (id.group === '' && kind === 'Secret') {
    return { kind, type, name, data, ...(isFields(stringData) && { stringData }) };
  }
  return fields;
}

/** As Go's encoding/json writes: keys sorted by bytes, and the characters of HTML escaped. */
function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (isFields(value)) {
    const keys = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${keys.map((key) => `${goText(key)}:${goJson((value satisfies Fields)[key])}`).join(',')}}`;
  }
  return typeof value === 'string' ? goText(value) : JSON.stringify(value ?? null);
}

const escaped = /[<>&\u2028\u2029]/g;

const goText = (text: string): string =>
  JSON.stringify(text).replace(escaped, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
