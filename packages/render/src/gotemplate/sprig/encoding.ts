import { createHash } from 'node:crypto';
import { define, type Functions, text } from './define.ts';

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32Encode(bytes: Buffer): string {
  let encoded = '';
  for (let i = 0; i < bytes.length; i += 5) {
    const chunk = bytes.subarray(i, i + 5);
    const bits = [...chunk]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .padEnd(40, '0');
    const used = Math.ceil((chunk.length * 8) / 5);
    for (let j = 0; j < 8; j++) {
      encoded += j < used ? (base32Alphabet[Number.parseInt(bits.slice(j * 5, j * 5 + 5), 2)] ?? '') : '=';
    }
  }
  return encoded;
}

function base32Decode(value: string): string {
  const clean = value.replace(/[\r\n]/g, '');
  const body = clean.replace(/=+$/, '');
  const bad = [...body].findIndex((char) => !base32Alphabet.includes(char));
  if (bad >= 0 || clean.length % 8 !== 0) return `illegal base32 data at input byte ${bad >= 0 ? bad : clean.length}`;
  const bits = [...body].map((char) => base32Alphabet.indexOf(char).toString(2).padStart(5, '0')).join('');
  const bytes = Array.from({ length: Math.floor(bits.length / 8) }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8), 2),
  );
  return Buffer.from(bytes).toString('utf8');
}

/** Go's decoder answers with its error as text, which sprig hands on. */
function base64Decode(value: string): string {
  const clean = value.replace(/[\r\n]/g, '');
  const bad = clean.search(/[^A-Za-z0-9+/]/);
  const body = bad < 0 ? clean : clean.slice(0, bad);
  const padding = clean.slice(body.length);
  const wanted = (4 - (body.length % 4)) % 4;
  if (padding === '='.repeat(wanted) && wanted !== 3) return Buffer.from(clean, 'base64').toString('utf8');
  return `illegal base64 data at input byte ${illegalAt(clean, body.length, wanted)}`;
}

function illegalAt(clean: string, bodyLength: number, wanted: number): number {
  const rest = clean.slice(bodyLength);
  if (rest === '') return clean.length - (clean.length % 4);
  if (!rest.startsWith('=') || wanted === 3 || wanted === 0) return bodyLength;
  const good = /^=*/.exec(rest)?.[0].length ?? 0;
  return bodyLength + Math.min(good, wanted);
}

const hash = (algorithm: string) =>
  define('string', ([value]) => createHash(algorithm).update(text(value)).digest('hex'));

function adler32(value: string): string {
  let [a, b] = [1, 0];
  for (const byte of Buffer.from(value)) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return String(b * 65536 + a);
}

export const encodingFunctions: Functions = {
  b64enc: define('string', ([value]) => Buffer.from(text(value)).toString('base64')),
  b64dec: define('string', ([value]) => base64Decode(text(value))),
  b32enc: define('string', ([value]) => base32Encode(Buffer.from(text(value)))),
  b32dec: define('string', ([value]) => base32Decode(text(value))),
  sha1sum: hash('sha1'),
  sha256sum: hash('sha256'),
  sha512sum: hash('sha512'),
  adler32sum: define('string', ([value]) => adler32(text(value))),
};
