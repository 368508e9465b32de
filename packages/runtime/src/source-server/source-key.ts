// What the components of a runtime share, so that nobody else is answered by the source server: made once, kept in a Secret
// beside the identity. The bearer token is derived from it; keys of people are sealed with another derivation, so that they
// are not readable on the way, whatever network that is.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { FairleadError, randomToken, sha256Hex } from '@fairlead/base';
import { checker, RepositoryKeys } from '@fairlead/contracts';
import { isAlreadyExists, type KubeClient } from '@fairlead/kube';
import { fieldsOf, secretOf, secretRef } from '../identity/index.ts';

const secretName = 'fairlead-source-server';
const nonceBytes = 12;
const tagBytes = 16;
const checkKeys = checker(RepositoryKeys);

export class SourceKey {
  readonly bearer: string;
  readonly #sealing: Buffer;

  constructor(secret: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `fairlead source ${purpose}`, 32));
    this.bearer = derive('bearer').toString('base64url');
    this.#sealing = derive('keys');
  }

  /** Compared in constant time. */
  isBearer(header: string | undefined): boolean {
    const given = sha256Hex(header ?? '');
    return timingSafeEqual(Buffer.from(given), Buffer.from(sha256Hex(`Bearer ${this.bearer}`)));
  }

  seal(keys: RepositoryKeys): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, nonce);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(keys), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  unseal(text: string): RepositoryKeys {
    const bytes = Buffer.from(text, 'base64');
    try {
      const cipher = createDecipheriv('aes-256-gcm', this.#sealing, bytes.subarray(0, nonceBytes));
      cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const opened = Buffer.concat([cipher.update(bytes.subarray(nonceBytes + tagBytes)), cipher.final()]);
      const checked = checkKeys(JSON.parse(opened.toString('utf8')));
      if (checked.ok) return checked.value;
    } catch {
      // what is wrong with it is told to nobody who could have made it
    }
    throw new FairleadError('bad_request', 'as: not sealed with the key of this runtime');
  }
}

interface Place {
  readonly namespace: string;
  readonly signal?: AbortSignal | undefined;
}

/** Components that start at once agree: the first to create it wins. */
export async function ensureSourceKey(client: KubeClient, { namespace, signal }: Place): Promise<SourceKey> {
  const known = await readKey(client, { namespace, signal });
  if (known) return known;
  const key = randomToken(32);
  try {
    await client.create(secretOf(secretName, namespace, { key }), { signal });
    return new SourceKey(key);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const others = await readKey(client, { namespace, signal });
    if (others) return others;
    const message = `Secret ${namespace}/${secretName} holds no key; delete it to have one made anew`;
    throw new FairleadError('unavailable', message);
  }
}

async function readKey(client: KubeClient, { namespace, signal }: Place): Promise<SourceKey | undefined> {
  const secret = await client.find(secretRef(namespace, secretName), { signal });
  const { key = '' } = secret ? fieldsOf(secret) : {};
  return key === '' ? undefined : new SourceKey(key);
}
