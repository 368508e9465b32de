// Functions whose answer is chance; each call says so.
import { CallError } from '../errors.ts';
import { int } from '../value.ts';
import type { SprigContext } from './context.ts';
import { define, type Functions, maxText, refuseOver, text, whole } from './define.ts';

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => i + 32));

export function randomFunctions({ randomBytes, onUnreproducible }: SprigContext): Functions {
  const below = (limit: number): number => randomBytes(6).readUIntBE(0, 6) % limit;
  const drawn = (name: string, alphabet: string) =>
    define('int', ([count]) => {
      onUnreproducible(name);
      refuseOver(whole(count), maxText / 16, name);
      return Array.from({ length: Math.max(0, whole(count)) }, () => alphabet[below(alphabet.length)]).join('');
    });
  return {
    randAlphaNum: drawn('randAlphaNum', letters + digits),
    randAlpha: drawn('randAlpha', letters),
    randNumeric: drawn('randNumeric', digits),
    randAscii: drawn('randAscii', ascii),
    randBytes: define('int', ([count]) => {
      onUnreproducible('randBytes');
      refuseOver(whole(count), maxText / 16, 'randBytes');
      return randomBytes(whole(count)).toString('base64');
    }),
    randInt: define('int int', ([low, high]) => {
      onUnreproducible('randInt');
      if (whole(high) <= whole(low)) throw new CallError('invalid argument to Intn');
      return int(whole(low) + below(whole(high) - whole(low)));
    }),
    shuffle: define('string', ([value]) => {
      onUnreproducible('shuffle');
      const chars = [...text(value)];
      for (let i = chars.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [chars[i], chars[j]] = [chars[j] ?? '', chars[i] ?? ''];
      }
      return chars.join('');
    }),
    uuidv4: define('', () => {
      onUnreproducible('uuidv4');
      const bytes = randomBytes(16);
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      const hex = bytes.toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    }),
  };
}
