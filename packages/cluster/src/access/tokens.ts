// Tokens of service accounts: signed claims that name the account, valid until they expire or the account they were made
// for is gone (a new account of the same name has another uid).
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Clock } from '@fairlead/base';
import { isRecord, numberAt, stringAt } from '@fairlead/kube/object';
import type { Store } from '../storage/index.ts';
import { serviceAccountUser, type User } from './user.ts';

export const issuer = 'https://kubernetes.default.svc.cluster.local';

export interface TokenWish {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
}

export interface TokensDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** PEM of a P-256 key. */
  readonly signingKey: string;
}

export class Tokens {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;

  constructor({ store, clock, signingKey }: TokensDeps) {
    this.#store = store;
    this.#clock = clock;
    this.#key = createPrivateKey(signingKey);
    this.#publicKey = createPublicKey(this.#key);
  }

  issue({ namespace, name, uid, audiences, expirationSeconds }: TokenWish): { token: string; expiresMs: number } {
    const nowSeconds = Math.floor(this.#clock.now() / 1000);
    const exp = nowSeconds + expirationSeconds;
    const claims = {
      aud: audiences,
      exp,
      iat: nowSeconds,
      nbf: nowSeconds,
      iss: issuer,
      'kubernetes.io': { namespace, serviceaccount: { name, uid } },
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const text = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return { token: `${text}.${signature.toString('base64url')}`, expiresMs: exp * 1000 };
  }

  /** Whose token it is; undefined when it is not (or no longer) good for this server. */
  userOf(token: string): User | undefined {
    const [head, body, signature, ...rest] = token.split('.');
    if (!head || !body || !signature || rest.length > 0) return undefined;
    const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) return undefined;
    // Signed by us: the claims have the form that `issue` gave them.
    const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    if (!isRecord(claims) || !Array.isArray(claims['aud']) || !claims['aud'].includes(issuer)) return undefined;
    if ((numberAt(claims, 'exp') ?? 0) * 1000 <= this.#clock.now()) return undefined;
    const namespace = stringAt(claims, 'kubernetes.io', 'namespace') ?? '';
    const name = stringAt(claims, 'kubernetes.io', 'serviceaccount', 'name') ?? '';
    const uid = stringAt(claims, 'kubernetes.io', 'serviceaccount', 'uid') ?? '';
    const account = this.#store.read('serviceaccounts', namespace, name)?.object;
    return account?.metadata.uid === uid ? serviceAccountUser(namespace, name, uid) : undefined;
  }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
