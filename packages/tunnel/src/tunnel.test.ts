import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { silentLogger } from '@fairlead/base';
import { tunnelCloseCodes } from '@fairlead/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TunnelCutError, TunnelRefusedError, tunnelErrorHeader } from './index.ts';
import { atEnd, dial, eventually, pair, shortTimings, startPlatform, stopAll } from './testing.ts';

afterEach(stopAll);

const signal = new AbortController().signal;

describe('a request through the tunnel', () => {
  it('reaches the origin with method, path, headers and body, and brings the answer back', async () => {
    const { session } = await pair(async (request, response) => {
      response.writeHead(202, { 'content-type': 'text/plain', 'x-seen': String(request.headers['x-given']) });
      response.end(`${request.method} ${request.url} ${await text(request)}`);
    });
    const answer = await session.request({
      method: 'POST',
      path: '/app-proxy/x?y=1',
      headers: { 'x-given': 'yes', connection: 'x-secret', 'x-secret': 'no' },
      body: Buffer.from('hello'),
      signal,
    });
    expect(answer.status).toBe(202);
    expect(answer.headers['x-seen']).toBe('yes');
    expect(await text(answer.body)).toBe('POST /app-proxy/x?y=1 hello');
  });

  it('keeps many concurrent requests apart', async () => {
    const { session } = await pair((request, response) => void response.end(request.url));
    const paths = Array.from({ length: 400 }, (_, i) => `/n/${i}`);
    const bodies = await Promise.all(
      paths.map(async (path) => text((await session.request({ method: 'GET', path, signal })).body)),
    );
    expect(bodies).toEqual(paths);
    await eventually('all streams are closed', () => session.active === 0);
  });

  it('carries large bodies both ways unchanged', async () => {
    const { session } = await pair((request, response) => void request.pipe(response));
    const sent = randomBytes(20 * 1024 * 1024);
    const answer = await session.request({ method: 'POST', path: '/', body: Readable.from(chunked(sent)), signal });
    const got = await buffer(answer.body);
    expect(sha256(got)).toBe(sha256(sent));
  });

  it('is not held up by another whose reader has stopped', async () => {
    const big = Buffer.alloc(8 * 1024 * 1024);
    const { session } = await pair((request, response) => void response.end(request.url === '/big' ? big : 'small'));
    const stalled = await session.request({ method: 'GET', path: '/big', signal });
    for (let i = 0; i < 50; i++) {
      const answer = await session.request({ method: 'GET', path: '/small', signal });
      expect(await text(answer.body)).toBe('small');
    }
    expect((await buffer(stalled.body)).length).toBe(big.length);
  });

  it('passes HEAD and 204 without a body', async () => {
    const { session } = await pair((_, response) => void response.writeHead(204).end());
    for (const method of ['HEAD', 'DELETE']) {
      const answer = await session.request({ method, path: '/', signal });
      expect([answer.status, await text(answer.body)]).toEqual([204, '']);
    }
  });

  it('says so when the origin is away', async () => {
    const { session, origin } = await pair((_, response) => void response.end());
    await origin.stop();
    const answer = await session.request({ method: 'GET', path: '/', signal });
    expect([answer.status, answer.headers[tunnelErrorHeader]]).toEqual([502, 'unseen']);
    expect(await text(answer.body)).toContain('its request router does not answer');
  });

  it('sends no act over a connection that the origin may be closing just then', async () => {
    // The origin answers the first request of each connection and closes at the second, unread.
    const used = new WeakSet<Socket>();
    const { session } = await pair((request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      response.end('done');
    });
    const ask = async (method: string) => {
      const { status, headers, body } = await session.request({ method, path: '/', signal });
      await text(body);
      return [status, headers[tunnelErrorHeader]];
    };
    expect(await ask('GET')).toEqual([200, undefined]);
    expect(await ask('POST')).toEqual([200, undefined]);
    expect(await ask('GET')).toEqual([502, 'cut']);
  });

  it('stops at the origin when the caller aborts', async () => {
    let arrived = false;
    let closed = false;
    const { session } = await pair((_, response) => {
      arrived = true;
      response.on('close', () => {
        closed = true;
      });
    });
    const controller = new AbortController();
    const asked = session.request({ method: 'GET', path: '/', signal: controller.signal });
    await eventually('the request arrived', () => arrived);
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await eventually('the origin noticed', () => closed);
  });
});

describe('a cut', () => {
  it('before the answer gives an error that says the request may have been carried out', async () => {
    const { session, relay } = await pair(() => relay?.cut(), { relayed: true });
    const error = await session.request({ method: 'POST', path: '/', body: Buffer.from('x'), signal }).catch((e) => e);
    expect(error).toBeInstanceOf(TunnelCutError);
    expect(error.maybeDelivered).toBe(true);
  });

  it('in the middle of the answer gives an error, never a shorter body', async () => {
    const { session, relay } = await pair((_, response) => void response.write('half'), { relayed: true });
    const answer = await session.request({ method: 'GET', path: '/', signal });
    const body = text(answer.body);
    relay?.cut();
    await expect(body).rejects.toThrow(TunnelCutError);
  });

  it('of the origin in the middle of its answer gives an error, never a shorter body', async () => {
    const { session } = await pair((_, response) => {
      response.write('half');
      setImmediate(() => response.destroy());
    });
    const answer = await session.request({ method: 'GET', path: '/', signal });
    await expect(text(answer.body)).rejects.toThrow(TunnelCutError);
  });

  it('is healed by a new session, and the old one refuses without sending', async () => {
    const { session, platform, relay } = await pair((_, response) => void response.end('ok'), { relayed: true });
    relay?.cut();
    const next = await eventually('a new session', () => {
      const current = platform.tunnels.session('runtime-1');
      return current !== session && current;
    });
    expect(await text((await next.request({ method: 'GET', path: '/', signal })).body)).toBe('ok');
    const error = await session.request({ method: 'GET', path: '/', signal }).catch((e) => e);
    expect(error.maybeDelivered).toBe(false);
  });

  it('that nobody was told of is found by both ends', async () => {
    const answer: RequestListener = (_, response) => void response.end();
    const { session, relay, client, platform } = await pair(answer, { relayed: true, timings: shortTimings });
    relay?.swallow();
    expect(await session.closed).toBe(1006);
    await eventually('the runtime noticed', () => client.states.includes('waiting'));
    expect(platform.tunnels.size).toBe(0);
  });
});

describe('a session', () => {
  it('is fenced by a newer one of the same runtime', async () => {
    const { session, platform, origin, client } = await pair((_, response) => void response.end('ok'));
    dial({ url: platform.url, origin: origin.url });
    expect(await session.closed).toBe(tunnelCloseCodes.fenced);
    await eventually('the older client waits', () => client.states.includes('waiting'));
    expect(platform.tunnels.size).toBe(1);
  });

  it('that was fenced leaves the newer one at least half of the longest wait', async () => {
    const platform = await startPlatform();
    atEnd(() => platform.stop());
    const waits: unknown[] = [];
    const log = { ...silentLogger, info: (fields: unknown) => void waits.push(fields) };
    const shortest = { backoff: { baseMs: 10, maxMs: 60_000 }, random: () => 0 };
    dial({ url: platform.url, origin: 'http://127.0.0.1:1', log, ...shortest });
    await eventually('the first session', () => platform.opened.length === 1);
    dial({ url: platform.url, origin: 'http://127.0.0.1:1' });
    await eventually('the first client waits', () => waits.length > 1);
    expect(waits.at(-1)).toEqual({ code: tunnelCloseCodes.fenced, delayMs: 30_000 });
  });

  it('ends for good when the runtime is revoked', async () => {
    const { session, platform, client } = await pair((_, response) => void response.end('ok'));
    platform.tunnels.revoke('runtime-1');
    expect(await session.closed).toBe(tunnelCloseCodes.revoked);
    expect(await client.settled).toBeInstanceOf(TunnelRefusedError);
  });

  it('is refused for good, with the reason, when the platform says never', async () => {
    const platform = await startPlatform({
      authenticate: () => Promise.reject(new TunnelRefusedError('unknown_runtime', 'no such runtime', 'never')),
    });
    atEnd(() => platform.stop());
    const error = await dial({ url: platform.url, origin: 'http://127.0.0.1:1' }).settled;
    expect(error).toMatchObject({ code: 'unknown_runtime', message: 'no such runtime' });
  });

  it('is tried again when the platform could not check it', async () => {
    let attempts = 0;
    const platform = await startPlatform({
      authenticate: () =>
        ++attempts < 3 ? Promise.reject(new Error('database away')) : Promise.resolve({ runtimeId: 'r' }),
    });
    atEnd(() => platform.stop());
    dial({ url: platform.url, origin: 'http://127.0.0.1:1' });
    await eventually('a session', () => platform.tunnels.session('r'));
    expect(attempts).toBe(3);
  });

  it('is refused to a browser page', async () => {
    const platform = await startPlatform();
    atEnd(() => platform.stop());
    const page = new WebSocket(platform.url, { origin: 'https://evil.example' });
    const [error] = (await once(page, 'error')) as [Error];
    expect(error.message).toContain('403');
    expect(platform.tunnels.size).toBe(0);
  });
});

function* chunked(data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += 65_536) yield data.subarray(at, at + 65_536);
}

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
