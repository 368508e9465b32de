import { hash, randomBytes } from 'node:crypto';

/** A number in [0, 1), as Math.random gives it. */
export type Random = () => number;

/** `prefix_` and 20 letters and digits of a secure source: enough for ids, not meant as a secret. */
export function newId(prefix: string): string {
  return `${prefix}_${randomToken(15).toLowerCase().replaceAll(/[-_]/g, 'x')}`;
}

/** Secret of `bytes` random bytes, base64url. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** 32-bit FNV-1a over the UTF-8 bytes: the hash behind the reporter's shards. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** JSON with sorted keys and no spaces, so that equal values give equal bytes. `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  if (value === undefined) return 'null';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const record = value as Record<string, unknown>;
  let members = '';
  for (const key of Object.keys(record).sort()) {
    const member = record[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** Whether the canonical forms are the same, found out without writing them. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return canonicalJson(a) === canonicalJson(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, index) => isSameJson(element, b[index]));
  }
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const [names, otherNames] = [definedNames(one), definedNames(other)];
  return (
    names.length === otherNames.length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
}

const definedNames = (record: Record<string, unknown>) =>
  Object.keys(record).filter((name) => record[name] !== undefined);

/** The content address of a JSON value: sha256 of its canonical form, hex. */
export function contentHash(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
