import { describe, expect, it } from 'vitest';
import { checker } from '../check.ts';
import { gitTokenPurpose, makeSealingKey, Sealed, SealedError, SealingPublicKey, seal, unseal } from './sealing.ts';

const purpose = gitTokenPurpose({ userId: 'user_1', host: 'GitHub.com' });
const publicPart = ({ kty, crv, x, y }: SealingPublicKey): SealingPublicKey => ({ kty, crv, x, y });

describe('a sealed text', () => {
  it('is opened by the key it was sealed to, and is of the declared shape', async () => {
    const key = await makeSealingKey();
    expect(checker(SealingPublicKey)(publicPart(key)).ok).toBe(true);
    for (const secret of ['ghp_token', '', 'ünïcode ✓', 'x'.repeat(60_000)]) {
      const sealed = await seal(secret, { to: publicPart(key), purpose });
      expect(checker(Sealed)(sealed).ok).toBe(true);
      expect(JSON.stringify(sealed)).not.toContain('ghp_token');
      expect(await unseal(sealed, { key, purpose })).toBe(secret);
    }
  });

  it('never looks the same twice', async () => {
    const key = await makeSealingKey();
    const [a, b] = await Promise.all([seal('s', { to: key, purpose }), seal('s', { to: key, purpose })]);
    expect(a.data).not.toBe(b.data);
  });

  it('does not open for another key, another user, another host, or when a letter was changed', async () => {
    const [key, other] = await Promise.all([makeSealingKey(), makeSealingKey()]);
    const sealed = await seal('secret', { to: key, purpose });
    await expect(unseal(sealed, { key: other, purpose })).rejects.toThrow(/another key/);
    for (const wrong of [
      gitTokenPurpose({ userId: 'user_2', host: 'github.com' }),
      gitTokenPurpose({ userId: 'user_1', host: 'gitlab.com' }),
    ]) {
      await expect(unseal(sealed, { key, purpose: wrong })).rejects.toThrow(SealedError);
    }
    const flipped = sealed.data.startsWith('A') ? 'B' : 'A';
    const changed = { ...sealed, data: flipped + sealed.data.slice(1) };
    await expect(unseal(changed, { key, purpose })).rejects.toThrow(SealedError);
    await expect(unseal({ ...sealed, ephemeral: 'A'.repeat(87) }, { key, purpose })).rejects.toThrow(SealedError);
  });
});
