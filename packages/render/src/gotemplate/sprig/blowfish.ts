// bcrypt (version 2a), which is Blowfish with an expensive key schedule. The boxes begin as the fraction of π in binary,
// which is computed here once instead of being written down.

const boxWords = 18 + 4 * 256;

/** The first bits of π after the point, by Machin's formula, in words of 32. */
function fractionOfPi(words: number): Uint32Array {
  const guard = 64n;
  const bits = BigInt(words * 32) + guard;
  const one = 1n << bits;
  const arctanInverse = (x: bigint): bigint => {
    let term = one / x;
    let sum = term;
    for (let n = 3n, sign = -1n; term !== 0n; n += 2n, sign = -sign) {
      term /= x * x;
      sum += sign * (term / n);
    }
    return sum;
  };
  const pi = 4n * (4n * arctanInverse(5n) - arctanInverse(239n));
  const hex = ((pi - 3n * one) >> guard).toString(16).padStart(words * 8, '0');
  return Uint32Array.from({ length: words }, (_, i) => Number.parseInt(hex.slice(i * 8, i * 8 + 8), 16));
}

let initial: Uint32Array | undefined;

class Blowfish {
  readonly #p: Uint32Array;
  readonly #s: Uint32Array;
  left = 0;
  right = 0;

  constructor() {
    initial ??= fractionOfPi(boxWords);
    this.#p = initial.slice(0, 18);
    this.#s = initial.slice(18);
  }

  /** Encrypts `left` and `right` in place. */
  encrypt(): void {
    const p = this.#p;
    const s = this.#s;
    let l = this.left ^ (p[0] ?? 0);
    let r = this.right;
    for (let i = 1; i <= 16; i += 2) {
      r ^= mix(s, l) ^ (p[i] ?? 0);
      l ^= mix(s, r) ^ (p[i + 1] ?? 0);
    }
    this.left = r ^ (p[17] ?? 0);
    this.right = l;
  }

  expand(key: Uint8Array, salt: Uint8Array | undefined): void {
    let at = 0;
    for (let i = 0; i < 18; i++) {
      this.#p[i] = (this.#p[i] ?? 0) ^ wordAt(key, at);
      at = (at + 4) % key.length;
    }
    this.left = 0;
    this.right = 0;
    let saltAt = 0;
    for (const box of [this.#p, this.#s]) {
      for (let i = 0; i < box.length; i += 2) {
        if (salt) {
          this.left ^= wordAt(salt, saltAt);
          this.right ^= wordAt(salt, saltAt + 4);
          saltAt = (saltAt + 8) % 16;
        }
        this.encrypt();
        box[i] = this.left;
        box[i + 1] = this.right;
      }
    }
  }
}

function mix(s: Uint32Array, x: number): number {
  const sum = ((s[x >>> 24] ?? 0) + (s[256 + ((x >>> 16) & 255)] ?? 0)) | 0;
  return ((sum ^ (s[512 + ((x >>> 8) & 255)] ?? 0)) + (s[768 + (x & 255)] ?? 0)) | 0;
}

function wordAt(bytes: Uint8Array, at: number): number {
  let word = 0;
  for (let i = 0; i < 4; i++) word = (word << 8) | (bytes[(at + i) % bytes.length] ?? 0);
  return word;
}

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function base64(bytes: Uint8Array): string {
  const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const encoded = Buffer.from(bytes).toString('base64').replaceAll('=', '');
  return [...encoded].map((char) => alphabet[standard.indexOf(char)]).join('');
}

/** `salt` has 16 bytes, `password` at most 72. */
export function bcryptHash(password: string, salt: Uint8Array, cost: number): string {
  const key = Buffer.concat([Buffer.from(password), Buffer.from([0])]);
  const cipher = new Blowfish();
  cipher.expand(key, salt);
  for (let round = 0; round < 2 ** cost; round++) {
    cipher.expand(key, undefined);
    cipher.expand(salt, undefined);
  }
  const magic = Buffer.from('OrpheanBeholderScryDoubt');
  const out = Buffer.alloc(24);
  for (let block = 0; block < 24; block += 8) {
    cipher.left = magic.readInt32BE(block);
    cipher.right = magic.readInt32BE(block + 4);
    for (let round = 0; round < 64; round++) cipher.encrypt();
    out.writeInt32BE(cipher.left | 0, block);
    out.writeInt32BE(cipher.right | 0, block + 4);
  }
  return `$2a$${String(cost).padStart(2, '0')}$${base64(salt)}${base64(out.subarray(0, 23))}`;
}
