// Who a runtime is. The key pair is made in the runtime's cluster and the private half never leaves it.
import { type Static, Type } from 'typebox';

/** An Ed25519 public key as JWK (RFC 8037). */
export const RuntimePublicKey = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String({ minLength: 43, maxLength: 43 }),
});
export type RuntimePublicKey = Static<typeof RuntimePublicKey>;

/** The Secret in the runtime's namespace that holds the identity; each field is one key of its data. */
export const runtimeIdentitySecret = 'fairlead-runtime';
export const defaultRuntimeNamespace = 'fairlead';

export interface RuntimeIdentity {
  readonly runtimeId: string;
  readonly runtimeName: string;
  readonly accountId: string;
  readonly platformUrl: string;
  /** JWK with the private part. */
  readonly privateKey: RuntimePublicKey & { readonly d: string };
  readonly platformPublicKey: RuntimePublicKey;
}

/**
 * A runtime calls the platform with `Authorization: Bearer <JWT>`, EdDSA, signed with its key:
 * iss = runtimeId, aud = `runtimeTokenAudience`, exp at most `runtimeTokenMaxAgeSeconds` after iat.
 */
export const runtimeTokenAudience = 'fairlead-platform';
export const runtimeTokenMaxAgeSeconds = 300;

/**
 * The platform passes a user's act to a runtime with `x-fairlead-assertion: <JWT>`, EdDSA, signed with the platform's
 * key: iss = `assertionIssuer`, aud = runtimeId, sub = user id, and the claims below; it lives for a minute and names
 * the one act it is for.
 */
export const assertionHeader = 'x-fairlead-assertion';
export const assertionIssuer = 'fairlead-platform';
export const assertionMaxAgeSeconds = 60;

export const AssertionClaims = Type.Object({
  sub: Type.String(),
  name: Type.String(),
  email: Type.Optional(Type.String()),
  account: Type.String(),
  /** What the user is in the account: with these the runtime judges by access rules that it reads itself. */
  role: Type.Union([Type.Literal('admin'), Type.Literal('user')]),
  teams: Type.Array(Type.String()),
  /** The verb, e.g. `application.sync`. */
  act: Type.String(),
  /** What it acts on, e.g. `argocd/guestbook-dev`. */
  on: Type.String(),
  requestId: Type.String(),
});
export type AssertionClaims = Static<typeof AssertionClaims>;
