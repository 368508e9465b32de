// A user's Git token, from the browser's side to the cluster: sealed, probed, stored encrypted, used by nobody else. The
// runtime of this file runs as in pods: as a service account, whose token is rotated.
import { createApiClient, gitTokenPurpose, seal } from '@fairlead/contracts';
import { serveProvider } from '@fairlead/git';
import { adminKey } from '@fairlead/platform/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../engine/world.ts';
import { type Pod, servicePod } from './service-account.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let pod: Pod;
let host: string;
let other: ReturnType<typeof createApiClient>;
const runtime = { runtime: 'hosted' };
const token = 'test-key';

beforeAll(async () => {
  const place = async (world: House['world']) => {
    pod = await servicePod(world.client, world.dir);
    return pod.place;
  };
  house = await startHouse({ place });
  await house.startRuntime();
  await registerHosted(house);
  host = new URL(house.world.gitUrl).host;
  await eventually(async () => {
    expect((await house.platform.api.call('getRuntime', { params: runtime })).status).toBe('connected');
  }, 60_000);
  await house.platform.api.call('inviteUser', { body: { name: 'robot', kind: 'service' } });
  const { key } = await house.platform.api.call('createApiKey', { body: { name: 'k', user: 'robot' } });
  other = createApiClient({ baseUrl: house.platform.url, headers: () => ({ authorization: `Bearer ${key}` }) });
}, 180_000);
afterAll(() => house?.stop());

async function sealed(secret: string, over: { userId?: string; host?: string } = {}) {
  const { api } = house.platform;
  const { key } = await api.call('getSealingKey', { params: runtime });
  const { user } = await api.call('me', {});
  return seal(secret, { to: key, purpose: gitTokenPurpose({ userId: user.id, host, ...over }) });
}

const put = async (body: Awaited<ReturnType<typeof sealed>>, over = {}) =>
  house.platform.api.call('putGitToken', {
    params: { ...runtime, host },
    body: { provider: 'builtin', url: house.world.gitUrl, sealed: body, ...over },
  });

describe('a Git token', () => {
  it('is opened in the runtime, taken by its provider, and listed without the token', async () => {
    const row = await put(await sealed(token));
    expect(row).toMatchObject({ host, provider: 'builtin', status: 'valid' });
    const { items } = await house.platform.api.call('listGitTokens', { params: runtime });
    expect(items).toEqual([row]);
    expect(JSON.stringify(items)).not.toContain(token);
  });

  it('is nowhere readable: not in the Secret, not in the audit log', async () => {
    const secrets = await house.world.client.list({ apiVersion: 'v1', kind: 'Secret', namespace: 'fairlead' });
    const texts = secrets.items.map((secret) => {
      const data = Object.values((secret['data'] ?? {}) as Record<string, string>);
      return data.map((value) => Buffer.from(value, 'base64').toString('latin1')).join('\n');
    });
    expect(texts.some((text) => text.includes(token))).toBe(false);
    const audit = await house.platform.api.call('listAudit', { query: { action: 'git-token.put' } });
    expect(audit.items.map(({ outcome, details }) => [outcome, details])).toEqual([
      ['done', {}],
      ['requested', {}],
    ]);
  });

  it('belongs to who gave it: another user sees none', async () => {
    expect((await other.call('listGitTokens', { params: runtime })).items).toEqual([]);
    await expect(other.call('deleteGitToken', { params: { ...runtime, host } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('sealed for another user or another host is refused, and says what to do', async () => {
    for (const over of [{ userId: 'user_other' }, { host: 'github.com' }]) {
      await expect(put(await sealed(token, over))).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('body field sealed'),
      });
    }
  });

  it('that the provider does not take is refused by name', async () => {
    await expect(put(await sealed('wrong'))).rejects.toMatchObject({
      code: 'git_token_refused',
      message: expect.stringContaining(host),
      body: { details: { host } },
    });
  });

  it.each([
    ['empty', ''],
    ['with a line break', 'a\nb'],
  ])('that is %s is refused', async (_, secret) => {
    await expect(put(await sealed(secret))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('not a token'),
    });
  });

  it('for a URL at another host is refused by the field', async () => {
    await expect(put(await sealed(token), { url: 'https://elsewhere.example' })).rejects.toMatchObject({
      message: expect.stringContaining('body field url'),
    });
  });

  it('survives a restart of the runtime', async () => {
    await house.restartRuntime();
    await eventually(async () => {
      const { items } = await house.platform.api.call('listGitTokens', { params: runtime });
      expect(items).toHaveLength(1);
    });
  });

  it('is taken and read by a runtime whose own token for the cluster was rotated', async () => {
    await pod.rotate();
    await put(await sealed(token));
    const { items } = await house.platform.api.call('listGitTokens', { params: runtime });
    expect(items).toMatchObject([{ host, status: 'valid' }]);
  });

  it('is forgotten when asked to', async () => {
    await house.platform.api.call('deleteGitToken', { params: { ...runtime, host } });
    expect((await house.platform.api.call('listGitTokens', { params: runtime })).items).toEqual([]);
  });

  it('cannot be reached with a word of the platform for something else', async () => {
    const answer = await fetch(`${house.urls.appProxy}/app-proxy/api/v1/git-tokens`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    expect(answer.status).toBe(401);
  });

  it('tells what it can read as its Git server answers, and nothing to who has none', async () => {
    const { api } = house.platform;
    const git = { url: house.world.gitUrl, apiKey: token };
    const provider = await serveProvider('github', { token: 'octo', git });
    const at = new URL(provider.url).host;
    const give = async () => {
      const body = { provider: 'github', url: provider.url, sealed: await sealed('octo', { host: at }) } as const;
      await api.call('putGitToken', { params: { ...runtime, host: at }, body });
    };
    const said = (name: string, status: number, headers = {}) =>
      provider.gitAnswers.set(`git-upload-pack demo/${name}`, { status, headers });
    const names = ['open', 'hidden', 'closed', 'busy', 'broken', 'moved'];
    const ask = async (as: typeof other, asked = names) => {
      const body = { repositories: asked.map((name) => `${provider.url}/demo/${name}.git`) };
      const { items } = await as.call('askGitRights', { params: runtime, body });
      return items.map(({ read, silent }) => (silent ? 'silent' : read ? 'yes' : 'no'));
    };
    try {
      for (const name of [...names, 'later']) provider.host.create(`demo/${name}`);
      said('hidden', 404);
      said('closed', 403);
      said('busy', 429, { 'retry-after': '30' });
      said('broken', 503);
      said('moved', 301, { location: `${provider.url}/demo/open.git/info/refs?service=git-upload-pack` });
      expect(await ask(api)).toEqual(Array(6).fill('no'));
      await give();
      expect(await ask(api)).toEqual(['yes', 'no', 'no', 'silent', 'silent', 'yes']);
      expect(await ask(other)).toEqual(Array(6).fill('no'));
      said('open', 401); // revoked; a new token is asked with at once
      await give();
      expect(await ask(api, ['open'])).toEqual(['no']);
    } finally {
      await provider.close();
    }
    expect(await ask(api, ['open', 'later'])).toEqual(['no', 'silent']);
  });
});
