// Runtime tokens: short-lived JWTs that a runtime signs with the key whose public half it registered.
import { runtimeTokenAudience, runtimeTokenMaxAgeSeconds } from '@fairlead/contracts';
import { decodeJwt, importJWK, type JWTPayload, jwtVerify } from 'jose';
import { type RuntimeRecord, runtimeById, type Store } from '../store/index.ts';
import { AuthError, UnknownRuntimeError } from './errors.ts';

interface VerifyOptions {
  readonly store: Store;
  /** For a tunnel: the token must carry this challenge. */
  readonly nonce?: string;
}

const clockSkewSeconds = 30;

export async function verifyRuntimeToken(token: string, { store, nonce }: VerifyOptions): Promise<RuntimeRecord> {
  const runtimeId = issuerOf(token);
  const runtime = await runtimeById(store.db, runtimeId);
  if (!runtime?.publicKey) throw new UnknownRuntimeError();
  const payload = await verify(token, runtime, store.clock.now());
  const { iat = 0, exp = 0 } = payload;
  if (exp - iat > runtimeTokenMaxAgeSeconds) throw new AuthError('the runtime token lives too long');
  if (nonce !== undefined && payload['nonce'] !== nonce) throw new AuthError('the proof is for another challenge');
  return runtime;
}

function issuerOf(token: string): string {
  try {
    const { iss } = decodeJwt(token);
    if (iss !== undefined) return iss;
  } catch {
    // Not a JWT at all: the same answer as for one without an issuer.
  }
  throw new AuthError();
}

async function verify(token: string, runtime: RuntimeRecord, nowMs: number): Promise<JWTPayload> {
  try {
    const key = await importJWK({ ...runtime.publicKey }, 'EdDSA');
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['EdDSA'],
      audience: runtimeTokenAudience,
      issuer: runtime.id,
      requiredClaims: ['iat', 'exp'],
      clockTolerance: clockSkewSeconds,
      currentDate: new Date(nowMs),
    });
    return payload;
  } catch {
    throw new AuthError('the runtime token is not valid: wrong key, audience or time');
  }
}
