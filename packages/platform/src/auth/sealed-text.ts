// Texts that the database may hold only sealed: AES-256-GCM under a key derived from the platform's own key, which lies
// outside the database where `platformKeyFile` is set. `owner` is bound in: a sealed text cannot be moved to another row.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export class SealedTexts {
  readonly #key: Buffer;

  constructor(privateKey: string, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', privateKey, 'fairlead', purpose, 32));
  }

  seal(text: string, owner: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.#key, iv).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Undefined: sealed under another key, for another owner, or changed since. */
  open(sealed: string, owner: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
    try {
      const decipher = createDecipheriv(algorithm, this.#key, iv).setAAD(Buffer.from(owner)).setAuthTag(tag);
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      return undefined; // the caller says what that means
    }
  }
}
