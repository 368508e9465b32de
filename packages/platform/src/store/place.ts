// The place in a list after which the next page starts. Opaque to clients; a forged one can only select a place.
import { BadCursorError } from './cursor.ts';

type Part = 'time' | 'number' | 'text';
type Read<P extends readonly Part[]> = { [K in keyof P]: P[K] extends 'number' ? number : string };

export const encodePlace = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

export function decodePlace<const P extends readonly Part[]>(text: string, expected: P): Read<P> {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw new BadCursorError();
  }
  if (!Array.isArray(parts) || parts.length !== expected.length) throw new BadCursorError();
  for (const [index, kind] of expected.entries()) if (!isPart(parts[index], kind)) throw new BadCursorError();
  return parts as Read<P>; // each part was checked
}

function isPart(value: unknown, kind: Part): boolean {
  if (kind === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'string' || value.includes('\0')) return false;
  return kind === 'text' || !Number.isNaN(Date.parse(value));
}
