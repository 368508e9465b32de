import { createServer, type RequestListener, type Server } from 'node:http';
import { freePort, listen } from '@fairlead/base';
import { assertionHeader, tunnelPath } from '@fairlead/contracts';
import { dialTunnel } from '@fairlead/tunnel';
import { importJWK, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { platformForTests } from '../platform-for-tests.ts';
import { eventually, registerTestRuntime, reported, sampleReport, type TestRuntime } from '../testing.ts';

const platform = platformForTests({ runtimeNetworks: '127.0.0.0/8' });
let count = 0;
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const rowOf = (runtime: string) => platform.api.call('getRuntime', { params: { runtime } });
const access = (runtime: string, body: { mode: 'tunnel' | 'ingress' | 'mesh'; url?: string }) =>
  platform.api.call('setRuntimeAccess', { params: { runtime }, body });

async function serve(server: Server): Promise<string> {
  const { port, close } = await listen(server, { port: 0 });
  stops.push(() => close(0));
  return `http://127.0.0.1:${port}`;
}

/** A request router with an app-proxy that checks the platform's word, and says how it was reached. */
function router(runtime: TestRuntime, name: string, seen: string[]): RequestListener {
  return async (request, response) => {
    if (request.url?.endsWith('/healthz')) return void response.end('ok');
    try {
      const key = await importJWK({ ...runtime.platformPublicKey }, 'EdDSA');
      await jwtVerify(String(request.headers[assertionHeader]), key, { audience: runtime.id });
    } catch {
      return void response.writeHead(401).end(JSON.stringify({ code: 'not_signed_in', message: 'no', requestId: '' }));
    }
    seen.push(name);
    response.writeHead(request.method === 'POST' ? 202 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ accepted: true, message: name }));
  };
}

async function start() {
  const runtime = await registerTestRuntime(platform, `reached-${count++}`);
  await runtime.api.call('reportEvents', {
    body: { reporter: 'test', objects: [reported(sampleReport('app'), 1)], contents: {} },
  });
  const seen: string[] = [];
  const [inside, outside] = await Promise.all(
    ['tunnel', 'url'].map((name) => serve(createServer(router(runtime, name, seen)))),
  );
  const controller = new AbortController();
  const dialled = dialTunnel({
    url: `${platform.url.replace('http', 'ws')}${tunnelPath}`,
    proof: (nonce) => runtime.token({ nonce }),
    origin: inside ?? '',
    runtimeVersion: '0.1.0',
    backoff: { baseMs: 20, maxMs: 100 },
    signal: controller.signal,
  });
  stops.push(() => {
    controller.abort();
    return dialled;
  });
  await eventually('connected', async () => (await rowOf(runtime.name)).status === 'connected');
  const params = { runtime: runtime.name, namespace: 'argocd', name: 'app' };
  const sync = async () => (await platform.api.call('syncApplication', { params, body: {} })).message;
  return { runtime, seen, outside: outside ?? '', sync };
}

describe('the way to a runtime', () => {
  it('is switched from the tunnel to a URL and back while it is used, without a failed act', async () => {
    const { runtime, outside, sync, seen } = await start();
    const failures: unknown[] = [];
    let isOver = false;
    const using = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) await sync().catch((error: unknown) => failures.push(error));
      }),
    );
    await eventually('in use', () => seen.length > 5);
    const row = await access(runtime.name, { mode: 'mesh', url: outside });
    expect(row).toMatchObject({ access: { mode: 'mesh', url: `${outside}/` }, status: 'connected' });
    expect(await sync()).toBe('url');
    await eventually('used', () => seen.filter((each) => each === 'url').length > 20);
    await access(runtime.name, { mode: 'tunnel' });
    await eventually('by the tunnel again', async () => (await sync()) === 'tunnel');
    isOver = true;
    await using;
    expect(failures).toEqual([]);
    expect((await rowOf(runtime.name)).access).toBeUndefined();
    // The URL is forgotten once the tunnel is up.
    await eventually('only by the tunnel', async () => {
      const before = seen.length;
      for (let i = 0; i < 5; i++) await sync();
      return seen.slice(before).every((each) => each === 'tunnel');
    });
  });

  it('is not switched to a URL where the runtime does not answer as itself', async () => {
    const [one, other] = [await start(), await start()];
    const plain = await serve(createServer((_, response) => void response.end('hello')));
    const leading = await serve(
      createServer((_, response) => void response.writeHead(302, { location: one.outside }).end()),
    );
    for (const url of [other.outside, plain, leading, 'http://127.0.0.1:1']) {
      const refused = access(one.runtime.name, { mode: 'mesh', url });
      await expect(refused).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining('does not answer there'),
      });
    }
    expect(await one.sync()).toBe('tunnel');
  });

  it.each([
    [{ mode: 'mesh', url: 'http://10.1.2.3' }, 422, 'not public'],
    [{ mode: 'mesh', url: 'http://169.254.169.254' }, 422, 'hands out credentials'],
    [{ mode: 'ingress', url: 'http://127.0.0.1:9' }, 422, 'https://'],
    [{ mode: 'mesh' }, 400, 'url'],
    [{ mode: 'tunnel', url: 'https://runtime.example.com' }, 400, 'leave it out'],
  ] as const)('is not %o', async (body, status, words) => {
    const runtime = await registerTestRuntime(platform, `refused-${count++}`);
    await expect(access(runtime.name, body)).rejects.toMatchObject({ status, message: expect.stringContaining(words) });
  });

  it('is never the platform itself', async () => {
    const runtime = await registerTestRuntime(platform, `mirror-${count++}`);
    const { port } = new URL(platform.url);
    for (const url of [platform.url, `http://localhost:${port}`, `http://127.0.0.2:${port}`]) {
      await expect(access(runtime.name, { mode: 'mesh', url })).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining('platform itself'),
      });
    }
  });

  it('by URL shows as offline when nobody answers there, and as connected when somebody does again', async () => {
    const { runtime, sync } = await start();
    const seen: string[] = [];
    const first = await listen(createServer(router(runtime, 'url', seen)), { port: await freePort() });
    await access(runtime.name, { mode: 'mesh', url: `http://127.0.0.1:${first.port}` });
    await first.close(0);
    await expect(sync()).rejects.toMatchObject({ status: 503, message: expect.stringContaining('request router') });
    await eventually('offline', async () => (await rowOf(runtime.name)).status === 'offline', 20_000);
    const again = await listen(createServer(router(runtime, 'url', seen)), { port: first.port });
    stops.push(() => again.close(0));
    await eventually('connected', async () => (await rowOf(runtime.name)).status === 'connected', 20_000);
    expect(await sync()).toBe('url');
  });
});
