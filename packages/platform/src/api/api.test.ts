import { ApiErrorBody, checker, createApiClient, fillPath, type Route, routes } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { platformForTests } from '../platform-for-tests.ts';
import { adminKey, registerTestRuntime } from '../testing.ts';

const platform = platformForTests();

const isError = checker(ApiErrorBody);
/** Some name for each part of the route's address. */
const namesIn = ({ params }: Route) =>
  Object.fromEntries(Object.keys(params?.properties ?? {}).map((part) => [part, 'x']));
const asAdmin = { authorization: `Bearer ${adminKey}` };

async function call(path: string, init: RequestInit = {}) {
  const answer = await fetch(`${platform.url}${path}`, init);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

describe('every route of the contract', () => {
  const closed = Object.entries<Route>(routes).filter(([, { auth }]) => auth !== 'none');

  it.each(closed)('%s answers a stranger with 401 and nothing else', async (_, route) => {
    for (const headers of [
      {},
      { authorization: 'Bearer nothing' },
      { authorization: 'Bearer' },
      { cookie: 'fairlead_session=x' },
    ]) {
      const sameOrigin = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
      const answer = await call(fillPath(route.path, namesIn(route)), {
        method: route.method,
        headers: { ...sameOrigin, ...headers },
      });
      expect([answer.status, answer.body.code]).toEqual([401, 'not_signed_in']);
      expect(isError(answer.body).ok).toBe(true);
    }
  });

  it('takes no runtime token at a user route and no API key at a runtime route', async () => {
    const runtime = await registerTestRuntime(platform, 'confused');
    const token = await runtime.token();
    expect((await call('/api/v1/me', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    const events = { method: 'POST', headers: { ...asAdmin, 'content-type': 'application/json' }, body: '{}' };
    expect((await call('/api/v1/events', events)).status).toBe(401);
  });

  it('is described by the OpenAPI document', async () => {
    const { body } = await call('/api/openapi.json');
    const described = Object.values<object>(body.paths).flatMap((path) =>
      Object.values(path).map((o) => o.operationId),
    );
    expect(described.sort()).toEqual(Object.keys(routes).sort());
  });
});

describe('a bad request', () => {
  it('names the field and the reason', async () => {
    const answer = await call('/api/v1/runtimes', {
      method: 'POST',
      headers: { ...asAdmin, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Not A Name', kind: 'hybrid' }),
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'bad_request', details: { in: 'body' } });
    expect(answer.body.message).toContain('name');
    expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId);
  });

  it.each([
    ['/api/v1/applications?limit=0', 400],
    ['/api/v1/applications?limit=1e9', 400],
    ['/api/v1/applications?sort=;drop', 400],
    ['/api/v1/applications?after=%00', 400],
    ['/api/v1/applications?search=%00', 400],
    ['/api/v1/applications/r/n/..%2f..%2fx', 404],
    ['/api/v1/nothing', 404],
  ])('GET %s gives %i', async (path, status) => {
    expect((await call(path, { headers: asAdmin })).status).toBe(status);
  });

  it('with another method gives 405 and says which are there', async () => {
    const answer = await call('/api/v1/me', { method: 'DELETE', headers: asAdmin });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it.each([
    ['text/plain', '{}', 415],
    ['application/json', '{"name":', 400],
    ['application/json', `${'['.repeat(100_000)}`, 400],
    ['application/json', `"${'x'.repeat(1024 * 1024)}"`, 413],
  ])('of type %s gives the right code', async (type, body, status) => {
    const answer = await call('/api/v1/runtimes', {
      method: 'POST',
      headers: { ...asAdmin, 'content-type': type },
      body,
    });
    expect(answer.status).toBe(status);
  });
});

describe('signing in', () => {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    });

  async function signIn() {
    const { url } = await platform.api.call('createSignInLink', {});
    const code = new URL(url).searchParams.get('code') ?? '';
    const answer = await post('/api/v1/sign-in/link', { code });
    const cookie = answer.headers.get('set-cookie') ?? '';
    return { code, url, answer, cookie, session: cookie.split(';')[0] ?? '' };
  }

  it('works by a one-time link, once', async () => {
    const { url, code, answer, cookie, session } = await signIn();
    expect(url).toContain('/sign-in?code=');
    expect(answer.body.user.name).toBe('admin');
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
    expect((await call('/api/v1/me', { headers: { cookie: session } })).body.account.name).toBe('local');
    expect((await post('/api/v1/sign-in/link', { code })).status).toBe(401);
  });

  it('ends with signing out', async () => {
    const { session } = await signIn();
    expect((await post('/api/v1/sign-out', {}, { cookie: session })).status).toBe(204);
    expect((await call('/api/v1/me', { headers: { cookie: session } })).status).toBe(401);
  });

  it('is worth nothing to a page of another site', async () => {
    const { session } = await signIn();
    for (const foreign of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    ]) {
      const answer = await post('/api/v1/sign-in-links', {}, { cookie: session, ...foreign });
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    }
  });

  it('fails with a wrong API key, and with a right one that is not whole', async () => {
    for (const key of ['wrong', adminKey.slice(0, -1), adminKey.toUpperCase()]) {
      const api = createApiClient({ baseUrl: platform.url, headers: () => ({ authorization: `Bearer ${key}` }) });
      await expect(api.call('me', {})).rejects.toMatchObject({ status: 401 });
    }
  });
});

describe('the server', () => {
  it('has probes and metrics', async () => {
    expect((await call('/healthz')).status).toBe(200);
    expect((await call('/readyz')).status).toBe(200);
    expect((await call('/metrics')).body).toContain('fairlead_http_requests_total');
  });

  it('sends strict security headers on every answer', async () => {
    for (const path of ['/healthz', '/api/v1/me', '/nothing']) {
      const { headers } = await call(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});
