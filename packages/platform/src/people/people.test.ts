import { type ApiClient, type ApiError, createApiClient } from '@fairlead/contracts';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { platformForTests } from '../platform-for-tests.ts';
import { eventually, registerTestRuntime } from '../testing.ts';

const platform = platformForTests();
let admin: ApiClient;
beforeAll(async () => {
  admin = platform.api;
});

const withKey = (key: string) =>
  createApiClient({ baseUrl: platform.url, headers: () => ({ authorization: `Bearer ${key}` }) });

const browser = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', 'user-agent': 'test browser' };
const post = (path: string, body: object) =>
  fetch(`${platform.url}${path}`, { method: 'POST', headers: browser, body: JSON.stringify(body) });
const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
const withCookie = (cookie: string) =>
  createApiClient({ baseUrl: platform.url, headers: () => ({ cookie, 'sec-fetch-site': 'same-origin' }) });

async function invite(name: string, more: object = {}) {
  const { url = '' } = await admin.call('inviteUser', { body: { name, ...more } });
  const answer = await post('/api/v1/sign-in/link', { code: new URL(url).searchParams.get('code') });
  return withCookie(cookieOf(answer));
}

describe('a user', () => {
  it('is invited by link, signs in, and is then active', async () => {
    const { user, url = '' } = await admin.call('inviteUser', { body: { name: 'ada', email: 'ada@example.com' } });
    expect(user).toMatchObject({ status: 'invited', role: 'user', kind: 'person' });
    const code = new URL(url).searchParams.get('code');
    const ada = withCookie(cookieOf(await post('/api/v1/sign-in/link', { code })));
    expect((await ada.call('me', {})).user).toMatchObject({ name: 'ada', role: 'user', teams: [] });
    const { items } = await admin.call('listUsers', {});
    expect(items.find(({ name }) => name === 'ada')?.status).toBe('active');
    expect((await post('/api/v1/sign-in/link', { code })).status).toBe(401);
  });

  it('may not do what is for administrators, and the attempt is in the audit log', async () => {
    const ben = await invite('ben');
    for (const attempt of [
      () => ben.call('inviteUser', { body: { name: 'eve' } }),
      () => ben.call('createRuntime', { body: { name: 'evil', kind: 'hybrid' } }),
      () => ben.call('listAudit', {}),
      () => ben.call('updateUser', { params: { user: 'ben' }, body: { role: 'admin' } }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    }
    const { items } = await admin.call('listAudit', { query: { actor: 'ben', outcome: 'denied' } });
    expect(items.map(({ action }) => action).sort()).toEqual([
      'createRuntime',
      'inviteUser',
      'listAudit',
      'updateUser',
    ]);
  });

  it('that is deactivated is out at once: session, key and link', async () => {
    const cleo = await invite('cleo');
    const { key } = await cleo.call('createApiKey', { body: { name: 'laptop' } });
    const { url } = await admin.call('createUserLink', { params: { user: 'cleo' } });
    expect((await withKey(key).call('me', {})).user.name).toBe('cleo');
    await admin.call('updateUser', { params: { user: 'cleo' }, body: { status: 'deactivated' } });
    await expect(cleo.call('me', {})).rejects.toMatchObject({ status: 401 });
    await expect(withKey(key).call('me', {})).rejects.toMatchObject({ status: 401 });
    const code = new URL(url).searchParams.get('code');
    expect((await post('/api/v1/sign-in/link', { code })).status).toBe(401);
  });

  it('that is the last administrator stays one', async () => {
    for (const body of [{ role: 'user' }, { status: 'deactivated' }] as const) {
      const attempt = admin.call('updateUser', { params: { user: 'admin' }, body });
      await expect(attempt).rejects.toMatchObject({ status: 409 });
    }
  });

  it('signs in by password, and only by the right one', async () => {
    const dora = await invite('dora');
    const password = 'correct horse battery';
    await dora.call('setPassword', { body: { password } });
    const right = await post('/api/v1/sign-in/password', { user: 'dora', password });
    expect(right.status).toBe(200);
    for (const body of [
      { user: 'dora', password: 'wrong horse battery' },
      { user: 'nobody', password },
      { user: 'dora', password, account: 'other' },
    ]) {
      const wrong = await post('/api/v1/sign-in/password', body);
      expect(wrong.status).toBe(401);
      expect(await wrong.json()).toMatchObject({ message: 'user name or password is wrong' });
    }
    const attempt = dora.call('setPassword', { body: { password: 'another one of length', current: 'no' } });
    await expect(attempt).rejects.toMatchObject({ status: 403 });
    const statuses = [];
    for (let n = 0; n < 12; n++) {
      statuses.push((await post('/api/v1/sign-in/password', { user: 'flood', password: 'x' })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('an API key', () => {
  it('does what its scopes say, no more, and makes no stronger one', async () => {
    const { key, row } = await admin.call('createApiKey', { body: { name: 'reader', scopes: ['read'] } });
    expect(row).toMatchObject({ user: 'admin', scopes: ['read'], prefix: key.slice(0, 10) });
    const reader = withKey(key);
    expect((await reader.call('listApplications', {})).matched).toBe(0);
    const attempts = [
      () => reader.call('createApiKey', { body: { name: 'stronger' } }),
      () => reader.call('createRuntime', { body: { name: 'x', kind: 'hybrid' } }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ status: 403 });
    const actor = await admin.call('createApiKey', { body: { name: 'actor', scopes: ['act'] } });
    const stronger = withKey(actor.key).call('createApiKey', { body: { name: 'more', scopes: ['admin'] } });
    await expect(stronger).rejects.toMatchObject({ status: 403 });
    // Nor does it become a session, which has no scopes at all.
    const detour = withKey(actor.key).call('createSignInLink', {});
    await expect(detour).rejects.toMatchObject({ status: 403 });
    const { items } = await admin.call('listAudit', { query: { action: 'createSignInLink', outcome: 'denied' } });
    expect(items).toHaveLength(1);
    const password = withKey(actor.key).call('setPassword', { body: { password: 'a password of length' } });
    await expect(password).rejects.toMatchObject({ status: 403 });
  });

  it('is listed without its secret, and ends when it is revoked', async () => {
    const { key, row } = await admin.call('createApiKey', { body: { name: 'short', expiresInDays: 1 } });
    expect(JSON.stringify(await admin.call('listApiKeys', {}))).not.toContain(key);
    await withKey(key).call('me', {});
    await admin.call('revokeApiKey', { params: { key: row.id } });
    await expect(withKey(key).call('me', {})).rejects.toMatchObject({ status: 401 });
    const again = await admin.call('createApiKey', { body: { name: 'short' } });
    expect(again.key).not.toBe(key);
  });

  it('that was revoked by another process ends within moments', async () => {
    const { key, row } = await admin.call('createApiKey', { body: { name: 'elsewhere' } });
    await withKey(key).call('me', {});
    const database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
    await database.query('update api_keys set revoked_at = now() where id = $1', [row.id]);
    await database.end();
    const isRefused = async () =>
      (await withKey(key)
        .call('me', {})
        .catch((error: ApiError) => error.status)) === 401;
    await eventually('the key is refused', isRefused, 5_000);
  });

  it('of another user is not there for one who is no administrator', async () => {
    const finn = await invite('finn');
    const { row } = await admin.call('createApiKey', { body: { name: 'mine' } });
    await expect(finn.call('revokeApiKey', { params: { key: row.id } })).rejects.toMatchObject({ status: 404 });
    expect((await finn.call('listApiKeys', { query: { all: true } })).items).toEqual([]);
  });

  it('of a service account is made by administrators only', async () => {
    await admin.call('inviteUser', { body: { name: 'robot', kind: 'service' } });
    const { key } = await admin.call('createApiKey', { body: { name: 'ci', user: 'robot' } });
    expect((await withKey(key).call('me', {})).user.name).toBe('robot');
    const gus = await invite('gus');
    const attempt = gus.call('createApiKey', { body: { name: 'ci', user: 'robot' } });
    await expect(attempt).rejects.toMatchObject({ status: 403 });
    const forAda = admin.call('createApiKey', { body: { name: 'x', user: 'gus' } });
    await expect(forAda).rejects.toMatchObject({ status: 403 });
  });
});

describe('sessions and teams', () => {
  it('lists own sessions and ends any of them', async () => {
    const hal = await invite('hal');
    const { items } = await hal.call('listSessions', {});
    expect(items).toMatchObject([{ user: 'hal', client: 'test browser', current: true }]);
    const ina = await invite('ina');
    const attempt = ina.call('revokeSession', { params: { session: items[0]?.id ?? '' } });
    await expect(attempt).rejects.toMatchObject({ status: 404 });
    await admin.call('revokeSession', { params: { session: items[0]?.id ?? '' } });
    await expect(hal.call('me', {})).rejects.toMatchObject({ status: 401 });
  });

  it('teams have members that exist, and users show their teams', async () => {
    const jan = await invite('jan');
    await admin.call('createTeam', { body: { name: 'payments', members: ['jan'] } });
    expect((await jan.call('me', {})).user.teams).toEqual(['payments']);
    const unknown = admin.call('updateTeam', { params: { team: 'payments' }, body: { members: ['nobody'] } });
    await expect(unknown).rejects.toMatchObject({ status: 404 });
    expect((await jan.call('me', {})).user.teams).toEqual(['payments']);
    await expect(admin.call('createTeam', { body: { name: 'payments' } })).rejects.toMatchObject({ status: 409 });
    await admin.call('deleteTeam', { params: { team: 'payments' } });
    expect((await jan.call('me', {})).user.teams).toEqual([]);
  });
});

describe('the key of a runtime', () => {
  it('works until a new one is registered with the rotation token, and not after it is revoked', async () => {
    const runtime = await registerTestRuntime(platform, 'rotated');
    const report = () => runtime.api.call('reportEvents', { body: { reporter: 't', objects: [], contents: {} } });
    const params = { runtime: 'rotated' };
    const { installToken } = await admin.call('rotateRuntime', { params });
    await report();
    const publicKey = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } as const;
    const anybody = createApiClient({ baseUrl: platform.url });
    const { runtimeId } = await anybody.call('registerRuntime', { body: { installToken, publicKey } });
    expect(runtimeId).toBe(runtime.id);
    await expect(report()).rejects.toMatchObject({ status: 401 });
    await admin.call('revokeRuntime', { params });
    expect((await admin.call('getRuntime', { params })).status).toBe('pending');
    const replay = anybody.call('registerRuntime', { body: { installToken, publicKey } });
    await expect(replay).rejects.toMatchObject({ status: 401 });
  });
});
