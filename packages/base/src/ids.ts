import { createHash, randomBytes } from 'node:crypto';

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
  return createHash('sha256').update(data).digest('hex');
}

/** JSON with sorted keys and no spaces, so that equal values give equal bytes. `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  if (value === undefined) return 'null';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const record = value as Record<string, unknown>;
  const members = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
  return `{${members.join(',')}}`;
}

/** The content address of a JSON value: sha256 of its canonical form, hex. */
export function contentHash(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
