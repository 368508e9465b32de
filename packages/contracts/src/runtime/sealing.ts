// What people type and nobody but the runtime may read (Git tokens, cluster credentials) is sealed to the runtime's public
// key before it leaves the browser or the CLI; the platform only passes it on. WebCrypto alone, so that it works in both.
//
// ECDH on P-256 with a key made for this one message, HKDF-SHA-256 over the shared bits, AES-256-GCM. The purpose is bound
// in: what was sealed for one user and one thing cannot be opened as something else.
// Not promised: that the key is really the runtime's. It comes by way of the platform; see SECURITY.md.
import { type Static, Type } from 'typebox';

const part = (bytes: number) => Type.String({ pattern: `^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$` });

/** A P-256 public key as JWK. */
export const SealingPublicKey = Type.Object({
  kty: Type.Literal('EC'),
  crv: Type.Literal('P-256'),
  x: part(32),
  y: part(32),
});
export type SealingPublicKey = Static<typeof SealingPublicKey>;

/** All parts base64url. At most 64 KiB of text. */
export const Sealed = Type.Object({
  /** Fingerprint of the key it is sealed to. */
  to: Type.String({ maxLength: 64 }),
  /** The one-time public key, uncompressed point. */
  ephemeral: part(65),
  iv: part(12),
  data: Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 87_500 }),
});
export type Sealed = Static<typeof Sealed>;

/** Why a sealed text could not be opened; nothing of it is in the message. */
export class SealedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SealedError';
  }
}

/** What a Git token is sealed for: this user (id, as `me` tells it) at this host (`github.com`, `localhost:3018`). */
export const gitTokenPurpose = ({ userId, host }: { userId: string; host: string }): string =>
  `git-token ${userId} ${host.toLowerCase()}`;

const algorithm = { name: 'ECDH', namedCurve: 'P-256' } as const;
const text = new TextEncoder();

interface SealOptions {
  readonly to: SealingPublicKey;
  readonly purpose: string;
}

export async function seal(secret: string, { to, purpose }: SealOptions): Promise<Sealed> {
  const { subtle } = crypto;
  const { kty, crv, x, y } = to;
  const recipient = await subtle.importKey('jwk', { kty, crv, x, y }, algorithm, true, []);
  const pair = await subtle.generateKey(algorithm, false, ['deriveBits']);
  const ephemeral = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
  const recipientRaw = new Uint8Array(await subtle.exportKey('raw', recipient));
  const key = await messageKey({ privateKey: pair.privateKey, publicKey: recipient, ephemeral, recipientRaw });
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = text.encode(purpose);
  const data = await subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, text.encode(secret));
  return {
    to: await fingerprint(recipientRaw),
    ephemeral: encode(ephemeral),
    iv: encode(iv),
    data: encode(new Uint8Array(data)),
  };
}

interface UnsealOptions {
  /** The JWK of the key pair, with its private part `d`. */
  readonly key: SealingPublicKey & { readonly d: string };
  readonly purpose: string;
}

/** Rejects with SealedError for another key, another purpose, or what was changed under way. */
export async function unseal(sealed: Sealed, { key: own, purpose }: UnsealOptions): Promise<string> {
  const { subtle } = crypto;
  const { d: _, ...publicPart } = own;
  const publicKey = await subtle.importKey('jwk', publicPart, algorithm, true, []);
  const recipientRaw = new Uint8Array(await subtle.exportKey('raw', publicKey));
  if (sealed.to !== (await fingerprint(recipientRaw))) {
    throw new SealedError('it is sealed to another key; fetch the key of the runtime again and seal it anew');
  }
  try {
    const privateKey = await subtle.importKey('jwk', { ...own }, algorithm, false, ['deriveBits']);
    const ephemeral = decode(sealed.ephemeral);
    const sender = await subtle.importKey('raw', ephemeral, algorithm, true, []);
    const key = await messageKey({ privateKey, publicKey: sender, ephemeral, recipientRaw });
    const how = { name: 'AES-GCM', iv: decode(sealed.iv), additionalData: text.encode(purpose) };
    return new TextDecoder('utf-8', { fatal: true }).decode(await subtle.decrypt(how, key, decode(sealed.data)));
  } catch {
    throw new SealedError('it was sealed for something else, or changed under way; seal it anew');
  }
}

/** A new key pair as JWK, private part included; the runtime makes it once and keeps it. */
export async function makeSealingKey(): Promise<SealingPublicKey & { readonly d: string }> {
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['deriveBits']);
  const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  return { kty: 'EC', crv: 'P-256', x, y, d };
}

interface MessageKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly ephemeral: Uint8Array<ArrayBuffer>;
  readonly recipientRaw: Uint8Array<ArrayBuffer>;
}

async function messageKey({ privateKey, publicKey, ephemeral, recipientRaw }: MessageKey): Promise<CryptoKey> {
  const { subtle } = crypto;
  const shared = await subtle.deriveBits({ name: 'ECDH', public: publicKey }, privateKey, 256);
  const base = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const salt = new Uint8Array([...ephemeral, ...recipientRaw]);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: text.encode('fairlead seal v1') };
  return subtle.deriveKey(derivation, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

async function fingerprint(raw: Uint8Array<ArrayBuffer>): Promise<string> {
  return encode(new Uint8Array(await crypto.subtle.digest('SHA-256', raw)).slice(0, 16));
}

const encode = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const decode = (letters: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
