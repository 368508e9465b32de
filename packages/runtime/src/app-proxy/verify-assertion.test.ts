import { FakeClock } from '@fairlead/base';
import { assertionIssuer, type RuntimeIdentity } from '@fairlead/contracts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AssertionVerifier } from './verify-assertion.ts';

let identity: RuntimeIdentity;
let sign: (
  claims: Record<string, unknown>,
  over?: { audience?: string; issuer?: string; lifeSeconds?: number },
) => Promise<string>;
let clock: FakeClock;
let verifier: AssertionVerifier;
let requests = 0;

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { x = '' } = await exportJWK(publicKey);
  const platformPublicKey = { kty: 'OKP', crv: 'Ed25519', x } as const;
  const privateJwk = { ...platformPublicKey, d: '' };
  identity = {
    runtimeId: 'rt_1',
    runtimeName: 'r',
    accountId: 'acc_1',
    platformUrl: '',
    platformPublicKey,
    privateKey: privateJwk,
  };
  sign = (claims, { audience = 'rt_1', issuer = assertionIssuer, lifeSeconds = 60 } = {}) => {
    const now = Math.floor(clock.now() / 1000);
    return new SignJWT({
      name: 'admin',
      role: 'user',
      teams: ['shop'],
      account: 'acc_1',
      act: 'application.sync',
      on: 'argocd/a',
      requestId: `req_${requests++}`,
      ...claims,
    })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setSubject('user_1')
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + lifeSeconds)
      .sign(privateKey);
  };
});
beforeEach(() => {
  clock = new FakeClock();
  verifier = new AssertionVerifier({ clock });
});

const verify = (token: string | undefined) =>
  verifier.verify(token, { identity, act: 'application.sync', on: 'argocd/a' });

describe('an assertion', () => {
  it('for this act on this object of this runtime is believed', async () => {
    expect(await verify(await sign({}))).toMatchObject({ sub: 'user_1', name: 'admin' });
  });

  it('is believed once', async () => {
    const token = await sign({});
    await verify(token);
    await expect(verify(token)).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each([
    ['another act', { act: 'application.terminate' }],
    ['another object', { on: 'argocd/b' }],
    ['another account', { account: 'acc_2' }],
  ])('for %s is refused', async (_, claims) => {
    await expect(verify(await sign(claims))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it.each([
    ['another runtime', { audience: 'rt_2' }],
    ['another issuer', { issuer: 'somebody' }],
  ])('of %s is refused', async (_, over) => {
    await expect(verify(await sign({}, over))).rejects.toMatchObject({ code: 'not_signed_in' });
  });

  it('that is older than a minute is refused, however long it says it lives', async () => {
    const token = await sign({}, { lifeSeconds: 3_600 });
    await clock.advance(91_000);
    await expect(verify(token)).rejects.toMatchObject({ code: 'not_signed_in' });
  });

  it('that is missing, unsigned or signed by another key is refused', async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const [, payload = ''] = (await sign({})).split('.');
    const other = await new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const token of [undefined, '', 'x', unsigned, other]) {
      await expect(verify(token)).rejects.toMatchObject({ code: 'not_signed_in' });
    }
  });

  it('can be used again for another request while old ones are forgotten, so that memory stays bounded', async () => {
    for (let i = 0; i < 50; i++) await verify(await sign({}));
    await clock.advance(200_000);
    await verify(await sign({}));
  });
});
