// What the runtime shows to the platform: short-lived JWTs signed with its own key.
import { type Clock, systemClock } from '@fairlead/base';
import { type RuntimeIdentity, runtimeTokenAudience } from '@fairlead/contracts';
import { importJWK, SignJWT } from 'jose';

const livesSeconds = 240;
/** One token serves many requests; it is renewed well before it ends. */
const renewAfterMs = 120_000;

export class RuntimeTokens {
  readonly #identity: RuntimeIdentity;
  readonly #clock: Clock;
  #current: { readonly token: Promise<string>; readonly madeAtMs: number } | undefined;

  constructor(identity: RuntimeIdentity, { clock = systemClock }: { clock?: Clock } = {}) {
    this.#identity = identity;
    this.#clock = clock;
  }

  token(): Promise<string> {
    const now = this.#clock.monotonic();
    if (!this.#current || now - this.#current.madeAtMs > renewAfterMs) {
      this.#current = { token: this.#sign({}), madeAtMs: now };
    }
    return this.#current.token;
  }

  /** The proof that the tunnel's challenge asks for. */
  proof(nonce: string): Promise<string> {
    return this.#sign({ nonce });
  }

  async #sign(claims: Record<string, unknown>): Promise<string> {
    const { privateKey, runtimeId } = this.#identity;
    const nowSeconds = Math.floor(this.#clock.now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .setIssuer(runtimeId)
      .setAudience(runtimeTokenAudience)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + livesSeconds)
      .sign(await importJWK({ ...privateKey }, 'EdDSA'));
  }
}
