// A stored token: encrypted under a key derived from the runtime's sealing key, bound to its user and host, one entry a
// host in the user's Secret. So neither a backup of one Secret nor a copied entry is worth anything by itself.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { sha256Hex } from '@fairlead/base';
import type { GitProviderKind } from '@fairlead/contracts';
import type { SealingKey } from './sealing-key.ts';

export interface StoredToken {
  readonly host: string;
  readonly url: string;
  readonly provider: GitProviderKind;
  readonly username?: string;
  readonly token: string;
  /** Who it speaks as, as the provider said. */
  readonly user?: string;
  readonly scopes?: readonly string[];
  readonly expiresAt?: string;
  readonly addedAt: string;
}

const ivBytes = 12;
const tagBytes = 16;

export const secretNameOf = (userId: string) => `fairlead-git-tokens-${sha256Hex(userId).slice(0, 24)}`;
/** Keys of a Secret's data may not have a colon. */
export const entryNameOf = (host: string) => sha256Hex(host).slice(0, 32);

const keyOf = ({ d }: SealingKey) => Buffer.from(hkdfSync('sha256', d, '', 'fairlead git tokens v1', 32));
const boundTo = (userId: string, entry: string) => Buffer.from(`${userId} ${entry}`);

interface Owner {
  readonly key: SealingKey;
  readonly userId: string;
  /** Its name in the Secret, which follows from the host. */
  readonly entry: string;
}

export function encryptToken(stored: StoredToken, { key, userId, entry }: Owner): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), iv).setAAD(boundTo(userId, entry));
  const data = Buffer.concat([cipher.update(JSON.stringify(stored), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64');
}

/** Undefined when it was encrypted under another key, or is not this user's for this host. */
export function decryptToken(text: string, { key, userId, entry }: Owner): StoredToken | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length <= ivBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(key), bytes.subarray(0, ivBytes));
  decipher.setAAD(boundTo(userId, entry)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return JSON.parse(plain.toString('utf8')) as StoredToken; // written by encryptToken, and authenticated
  } catch {
    return undefined; // the tag does not fit: not ours
  }
}
