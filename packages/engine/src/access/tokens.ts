// Tokens the engine gives out: JWTs of the issuer `argocd`, signed (HS256) by `server.secretkey` of `argocd-secret`, as Argo
// CD's own are: those of one are good at the other with the same Secret.
import { randomUUID } from 'node:crypto';
import { type Clock, errorMessage } from '@fairlead/base';
import { jwtVerify, SignJWT } from 'jose';
import { IdentityError } from './errors.ts';

export const issuer = 'argocd';

export interface Claims {
  readonly subject: string;
  readonly id: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt?: number;
  /** Everything the token says, for the scopes of a policy. */
  readonly all: Readonly<Record<string, unknown>>;
}

export interface NewToken {
  readonly subject: string;
  readonly id?: string | undefined;
  /** 0: for ever. */
  readonly expiresInSeconds: number;
}

export async function issueToken(
  key: Uint8Array,
  { subject, id = '', expiresInSeconds }: NewToken,
  clock: Clock,
): Promise<{ readonly token: string; readonly claims: Claims }> {
  const issuedAt = Math.floor(clock.now() / 1000);
  const expiresAt = expiresInSeconds > 0 ? issuedAt + expiresInSeconds : undefined;
  const jti = id === '' ? randomUUID() : id;
  const all = {
    iss: issuer,
    sub: subject,
    iat: issuedAt,
    nbf: issuedAt,
    jti,
    ...(expiresAt ? { exp: expiresAt } : {}),
  };
  const token = await new SignJWT(all).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key);
  return { token, claims: { subject, id: jti, issuedAt, ...(expiresAt ? { expiresAt } : {}), all } };
}

export async function readToken(key: Uint8Array, token: string, clock: Clock): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer,
      requiredClaims: ['sub', 'iat'],
      currentDate: new Date(clock.now()),
    });
    const { sub = '', jti = '', iat = 0, exp } = payload;
    return { subject: sub, id: jti, issuedAt: iat, ...(exp ? { expiresAt: exp } : {}), all: payload };
  } catch (cause) {
    throw new IdentityError(`token is not valid: ${errorMessage(cause)}`, 'unknown', { cause });
  }
}
