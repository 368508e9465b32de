import { randomInt } from 'node:crypto';

/** Letters that make no words and no look-alikes, as Kubernetes uses them in generated names. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxNameLength = 63;

export function generateName(base: string): string {
  let suffix = '';
  for (let index = 0; index < suffixLength; index++) suffix += alphabet[randomInt(alphabet.length)];
  return `${base.slice(0, maxNameLength - suffixLength)}${suffix}`;
}

/** Turns a hash's digits into letters of the same alphabet, for names that must not spell anything. */
export function safeEncode(text: string): string {
  return [...text].map((letter) => alphabet[letter.charCodeAt(0) % alphabet.length]).join('');
}
