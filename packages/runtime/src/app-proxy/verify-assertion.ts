// The app-proxy believes no "allowed" flag: it checks the platform's signature, that the word is for this runtime, this
// account, this act on this object, that it is fresh, and that it was not used before.
import { type Clock, systemClock } from '@fairlead/base';
import {
  AssertionClaims,
  assertionIssuer,
  assertionMaxAgeSeconds,
  checker,
  type RuntimeIdentity,
} from '@fairlead/contracts';
import { importJWK, type JWTPayload, jwtVerify } from 'jose';
import { ProxyError } from './errors.ts';

interface Expected {
  readonly identity: RuntimeIdentity;
  readonly act: string;
  readonly on: string;
}

const checkClaims = checker(AssertionClaims);
const clockSkewSeconds = 30;
/** Acts within one assertion's life; beyond it new ones are refused, since an old one could not be told from a replay. */
const maxRemembered = 10_000;

export class AssertionVerifier {
  readonly #clock: Clock;
  /** Request id → when it can be forgotten. */
  readonly #used = new Map<string, number>();

  constructor({ clock = systemClock }: { clock?: Clock } = {}) {
    this.#clock = clock;
  }

  async verify(token: string | undefined, expected: Expected): Promise<AssertionClaims> {
    if (token === undefined) throw new ProxyError('not_signed_in', 'the request carries no assertion of the platform');
    const payload = await this.#verifySignature(token, expected.identity);
    const checked = checkClaims(payload);
    if (!checked.ok)
      throw new ProxyError('not_signed_in', 'the assertion lacks claims; is the platform older than this runtime?');
    const claims = checked.value;
    if (claims.account !== expected.identity.accountId) {
      throw new ProxyError('forbidden', 'the assertion is for another account');
    }
    if (claims.act !== expected.act || claims.on !== expected.on) {
      throw new ProxyError('forbidden', `the assertion is for ${claims.act} on ${claims.on}, not for this act`);
    }
    this.#useOnce(claims.requestId);
    return claims;
  }

  async #verifySignature(token: string, identity: RuntimeIdentity): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, await importJWK({ ...identity.platformPublicKey }, 'EdDSA'), {
        algorithms: ['EdDSA'],
        issuer: assertionIssuer,
        audience: identity.runtimeId,
        requiredClaims: ['iat', 'exp', 'sub'],
        maxTokenAge: assertionMaxAgeSeconds,
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(this.#clock.now()),
      });
      return payload;
    } catch (cause) {
      throw new ProxyError('not_signed_in', 'the assertion is not valid: wrong key, runtime or time', { cause });
    }
  }

  #useOnce(requestId: string): void {
    const now = this.#clock.monotonic();
    // Insertion order is order of expiry, so only the head is looked at.
    for (const [id, forgetAtMs] of this.#used) {
      if (forgetAtMs > now) break;
      this.#used.delete(id);
    }
    if (this.#used.has(requestId)) throw new ProxyError('conflict', 'this act was carried out already');
    if (this.#used.size >= maxRemembered) throw new ProxyError('too_many_requests', 'too many acts within a minute');
    this.#used.set(requestId, now + (assertionMaxAgeSeconds + 2 * clockSkewSeconds) * 1000);
  }
}
