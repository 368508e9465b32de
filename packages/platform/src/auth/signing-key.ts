// The platform's own key: with it the platform vouches for a user towards a runtime (see contracts/runtime/identity).
import { readFile, writeFile } from 'node:fs/promises';
import { type Clock, ConfigError, newId } from '@fairlead/base';
import {
  type AssertionClaims,
  assertionIssuer,
  assertionMaxAgeSeconds,
  checker,
  RuntimePublicKey,
} from '@fairlead/contracts';
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import type { Store } from '../store/index.ts';
import { SealedTexts } from './sealed-text.ts';

type PrivateJwk = RuntimePublicKey & { readonly d: string };

export interface SigningKey {
  readonly publicKey: RuntimePublicKey;
  /** Seals texts for one purpose, under a key derived from this one. */
  sealedTexts(purpose: string): SealedTexts;
  /** A JWT for one act on one runtime, good for a minute. */
  signAssertion(
    claims: AssertionClaims,
    options: { readonly runtimeId: string; readonly clock: Clock },
  ): Promise<string>;
}

const checkPublic = checker(RuntimePublicKey);

/** From `file` (made when it is missing, mode 0600), else from the database. */
export async function loadSigningKey(store: Store, file: string | undefined): Promise<SigningKey> {
  const jwk = file === undefined ? await keyFromStore(store) : await keyFromFile(file);
  const { kty, crv, x } = jwk;
  const key = await importJWK({ ...jwk }, 'EdDSA');
  return {
    publicKey: { kty, crv, x },
    sealedTexts: (purpose) => new SealedTexts(jwk.d, purpose),
    signAssertion: ({ sub, ...claims }, { runtimeId, clock }) => {
      const nowSeconds = Math.floor(clock.now() / 1000);
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
        .setIssuer(assertionIssuer)
        .setAudience(runtimeId)
        .setSubject(sub)
        .setJti(newId('assertion'))
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + assertionMaxAgeSeconds)
        .sign(key);
    },
  };
}

async function makeKey(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { x = '', d = '' } = await exportJWK(privateKey);
  return { kty: 'OKP', crv: 'Ed25519', x, d };
}

async function keyFromFile(file: string): Promise<PrivateJwk> {
  try {
    return parseKey(await readFile(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = await makeKey();
  // 'wx': of two that start at once one writes, the other reads what was written.
  await writeFile(file, JSON.stringify(made), { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return parseKey(await readFile(file, 'utf8'), file);
}

function parseKey(text: string, file: string): PrivateJwk {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ConfigError(`${file} does not hold a key in JWK form`);
  }
  const d = (parsed as { d?: unknown } | null)?.d;
  const checked = checkPublic(parsed);
  if (!checked.ok || typeof d !== 'string') throw new ConfigError(`${file} does not hold a private Ed25519 key`);
  return { ...checked.value, d };
}

async function keyFromStore({ db, clock }: Store): Promise<PrivateJwk> {
  const made = { id: 'assertions', private_jwk: JSON.stringify(await makeKey()), created_at: new Date(clock.now()) };
  await db
    .insertInto('signing_keys')
    .values(made)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await db
    .selectFrom('signing_keys')
    .select('private_jwk')
    .where('id', '=', 'assertions')
    .executeTakeFirstOrThrow();
  return stored.private_jwk;
}
