import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort, type Logger, listen, silentLogger } from '@fairlead/base';
import { assertionHeader, tunnelPath } from '@fairlead/contracts';
import { dialTunnel } from '@fairlead/tunnel';
import { importJWK, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { platformForTests } from '../platform-for-tests.ts';
import { eventually, registerTestRuntime, reported, sampleReport } from '../testing.ts';

const platform = platformForTests();
const stops: (() => Promise<unknown>)[] = [];
let count = 0;
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const statusOf = async (name: string) => (await platform.api.call('getRuntime', { params: { runtime: name } })).status;

/** A runtime with one application `app`, whose router is the given listener. */
async function startRuntime(answer: RequestListener) {
  const runtime = await registerTestRuntime(platform, `acting-${count++}`);
  await runtime.api.call('reportEvents', {
    body: { reporter: 'test', objects: [reported(sampleReport('app'), 1)], contents: {} },
  });
  const router = await listen(createServer(answer), { port: await freePort() });
  stops.push(() => router.close(0));
  let refusals = 0; // of the router, as the tunnel's end writes them down
  const connect = () => {
    const controller = new AbortController();
    const done = dialTunnel({
      url: `${platform.url.replace('http', 'ws')}${tunnelPath}`,
      proof: (nonce) => runtime.token({ nonce }),
      origin: `http://127.0.0.1:${router.port}`,
      runtimeVersion: '0.1.0',
      backoff: { baseMs: 20, maxMs: 100 },
      log: Object.assign(Object.create(silentLogger) as Logger, { debug: () => refusals++ }),
      signal: controller.signal,
    }).catch((error: unknown) => error);
    const disconnect = () => {
      controller.abort();
      return done;
    };
    stops.push(disconnect);
    return { disconnect, done };
  };
  const connection = connect();
  await eventually('connected', async () => (await statusOf(runtime.name)) === 'connected');
  const params = { runtime: runtime.name, namespace: 'argocd', name: 'app' };
  const restart = async (outage: (refusals: () => number) => Promise<unknown>) => {
    await router.close(0);
    await outage(() => refusals);
    const again = await listen(createServer(answer), { port: router.port });
    stops.push(() => again.close(0));
  };
  return { runtime, params, connect, restart, ...connection };
}

const sync = (params: TestParams, body = {}) => platform.api.call('syncApplication', { params, body });
type TestParams = { runtime: string; namespace: string; name: string };

const receipt = { accepted: true, message: 'sync of app started' };

describe('an act', () => {
  it('on Git tokens leaves behind until when they work, and nothing else of them', async () => {
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const row = (host: string, more: object) => ({
      host,
      url: `https://${host}`,
      provider: 'github',
      addedAt: '',
      ...more,
    });
    const ending = row('github.com', { expiresAt, status: 'expires-soon', problem: 'it ends in 5 days' });
    const weak = row('git.example', { status: 'weak', problem: 'it lacks the scope repo' });
    let items = [ending, weak, row('fine.example', { status: 'valid' })];
    const { runtime } = await startRuntime((request, response) => {
      if (request.method === 'DELETE') return void response.writeHead(204).end();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }));
    });
    const params = { runtime: runtime.name };
    const warned = async () =>
      ((await platform.api.call('me', {})).gitTokenWarnings ?? []).map(({ host, problem }) => `${host}: ${problem}`);
    await platform.api.call('listGitTokens', { params });
    expect(await warned()).toEqual([
      'github.com: it ends in 5 days; make a new one at github.com and add it again',
      'git.example: it lacks the scope repo',
    ]);
    await platform.api.call('deleteGitToken', { params: { ...params, host: 'git.example' } });
    expect(await warned()).toHaveLength(1);
    items = [];
    await platform.api.call('listGitTokens', { params });
    expect(await warned()).toEqual([]);
  });

  it('reaches the app-proxy of its runtime with a signed word on who asks for what', async () => {
    const seen: { request: IncomingMessage; body: string }[] = [];
    const { runtime, params } = await startRuntime(async (request, response) => {
      seen.push({ request, body: await text(request) });
      response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(receipt));
    });
    expect(await sync(params, { prune: true })).toEqual(receipt);
    const [{ request, body } = { request: undefined, body: '' }] = seen;
    expect(request?.url).toBe('/app-proxy/api/v1/applications/argocd/app/sync');
    expect(JSON.parse(body)).toEqual({ prune: true });
    const key = await importJWK({ ...runtime.platformPublicKey }, 'EdDSA');
    const { payload } = await jwtVerify(String(request?.headers[assertionHeader]), key, { audience: runtime.id });
    expect(payload).toMatchObject({ name: 'admin', act: 'application.sync', on: 'argocd/app' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(60);
  });

  it('brings back the words of the runtime when it says no', async () => {
    const { params } = await startRuntime((_, response) => {
      const body = {
        code: 'operation_in_progress',
        message: 'another operation is already in progress',
        requestId: 'x',
      };
      response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await expect(sync(params)).rejects.toMatchObject({
      status: 409,
      message: 'another operation is already in progress',
    });
  });

  it('never signs a user out because a runtime does not believe the platform', async () => {
    const { params } = await startRuntime((_, response) => {
      response.writeHead(401).end(JSON.stringify({ code: 'not_signed_in', message: 'wrong key', requestId: 'x' }));
    });
    await expect(sync(params)).rejects.toMatchObject({ status: 403 });
  });

  it('on a runtime that is away says what to do', async () => {
    const { params, disconnect, runtime } = await startRuntime((_, response) => void response.end());
    await disconnect();
    await eventually('offline', async () => (await statusOf(runtime.name)) === 'offline');
    await expect(sync(params)).rejects.toMatchObject({ status: 503, code: 'runtime_unreachable' });
  });

  it('waits for a line that was just lost', async () => {
    const answer: RequestListener = (_, response) => {
      response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(receipt));
    };
    const { params, disconnect, connect, runtime } = await startRuntime(answer);
    await disconnect();
    await eventually('offline', async () => (await statusOf(runtime.name)) === 'offline');
    const syncing = sync(params);
    connect();
    expect(await syncing).toEqual(receipt);
  });

  it('whose line is cut has an unknown outcome, and is sent once only', async () => {
    let arrived = 0;
    const { params, disconnect } = await startRuntime(() => {
      arrived++;
      void disconnect();
    });
    await expect(sync(params)).rejects.toMatchObject({ status: 504, code: 'outcome_unknown' });
    expect(arrived).toBe(1);
  });

  it('waits for a request router that is just starting anew', async () => {
    const { params, restart } = await startRuntime((_, response) => {
      response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(receipt));
    });
    let syncing: Promise<unknown> | undefined;
    await restart(async (refusals) => {
      syncing = sync(params);
      await eventually('it was tried', () => refusals() > 0);
    });
    expect(await syncing).toEqual(receipt);
  });

  it('that a dying app-proxy may have done has an unknown outcome, and is sent once only', async () => {
    let arrived = 0;
    const { params } = await startRuntime((request) => {
      arrived++;
      request.socket.destroy();
    });
    await expect(sync(params)).rejects.toMatchObject({ status: 504, code: 'outcome_unknown' });
    expect(arrived).toBe(1);
  });

  it('on an application that is not there is refused here', async () => {
    const { params } = await startRuntime((_, response) => void response.end());
    await expect(sync({ ...params, name: 'nothing' })).rejects.toMatchObject({ status: 404 });
  });
});

describe('a runtime', () => {
  it('that is deleted is cut off for good, and takes its rows along', async () => {
    const { runtime, done } = await startRuntime((_, response) => void response.end());
    await platform.api.call('deleteRuntime', { params: { runtime: runtime.name } });
    expect(await done).toMatchObject({ code: 'runtime_revoked' });
    await expect(runtime.api.call('exchangeDigest', { body: emptyDigest })).rejects.toMatchObject({ status: 401 });
    const { matched } = await platform.api.call('listApplications', { query: { runtime: runtime.name } });
    expect(matched).toBe(0);
  });

  it('comes back by itself when the platform restarts', async () => {
    const { runtime } = await startRuntime((_, response) => void response.end());
    await platform.restart();
    await eventually('connected again', async () => (await statusOf(runtime.name)) === 'connected');
  });

  it('is off at once when its key is revoked, before the answer to that', async () => {
    const { runtime, params } = await startRuntime((_, response) => void response.end());
    await platform.api.call('revokeRuntime', { params: { runtime: runtime.name } });
    expect(await statusOf(runtime.name)).not.toBe('connected');
    await expect(sync(params)).rejects.toMatchObject({ code: 'runtime_unreachable' });
  });

  it('registers once: another key with the same token is refused', async () => {
    const { installToken } = await platform.api.call('createRuntime', { body: { name: 'once', kind: 'hybrid' } });
    const register = (letter: string) =>
      platform.api.call('registerRuntime', {
        body: { installToken, publicKey: { kty: 'OKP', crv: 'Ed25519', x: letter.repeat(43) } },
      });
    const first = await register('A');
    expect(await register('A')).toEqual(first);
    await expect(register('B')).rejects.toMatchObject({ status: 401 });
    await expect(platform.api.call('createRuntime', { body: { name: 'once', kind: 'hybrid' } })).rejects.toMatchObject({
      status: 409,
    });
  });
});

const emptyDigest = {
  reporter: 'test',
  kind: 'application',
  epoch: 1,
  shard: { index: 0, count: 1 },
  objects: {},
} as const;
