import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createRegistry, listen, silentLogger } from '@fairlead/base';
import { tunnelErrorHeader } from '@fairlead/tunnel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRequestRouter } from './create-request-router.ts';
import { type RouteTable, routeFor } from './routes.ts';

const table: RouteTable = {
  appProxyUrl: 'http://app-proxy',
  workflowsUrl: 'http://workflows',
  eventSourceUrl: 'http://{source}-eventsource-svc.{namespace}.svc',
};

describe('routeFor', () => {
  it.each([
    ['/app-proxy/api/x?y=1', 'http://app-proxy', '/app-proxy/api/x?y=1'],
    ['/workflows/api/v1/x', 'http://workflows', '/api/v1/x'],
    ['/webhooks/argo/github/push', 'http://github-eventsource-svc.argo.svc', '/webhooks/argo/github/push'],
  ])('sends %s to %s', (path, origin, target) => {
    expect(routeFor(path, table)).toEqual({ kind: 'target', origin, path: target });
  });

  it.each([
    '/',
    '/other',
    '/app-proxyx',
    '//app-proxy',
    '/app-proxy/../secret',
    '/app-proxy/%2e%2e/x',
    '/app-proxy\\x',
    'http://evil/app-proxy',
    '/webhooks/a.b/c',
    '/webhooks/a',
    '/webhooks/UP/x',
    '/webhooks/a/evil.example%2f',
    '/webhooks/a@b/c',
  ])('sends %s nowhere', (path) => {
    expect(routeFor(path, table).kind).toBe('refused');
  });

  it('sends nothing to targets that are not configured', () => {
    const bare = { appProxyUrl: 'http://app-proxy' };
    for (const path of ['/workflows/x', '/webhooks/a/b']) expect(routeFor(path, bare)).toMatchObject({ status: 404 });
  });
});

describe('the request router', () => {
  const stops: (() => Promise<void>)[] = [];
  let url = '';
  let port = 0;
  beforeAll(async () => {
    const target = createServer((request, response) => {
      if (request.url === '/app-proxy/cut') return void request.socket.destroy();
      if (request.url === '/app-proxy/stream') return void response.write('first');
      response.writeHead(201, { 'x-host': request.headers.host ?? '' });
      request.pipe(response);
    });
    target.on('upgrade', (_, socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n');
      socket.pipe(socket);
    });
    const listening = await listen(target, { port: 0 });
    const appProxyUrl = `http://127.0.0.1:${listening.port}`;
    const router = createRequestRouter({
      table: { appProxyUrl, workflowsUrl: 'http://127.0.0.1:1' },
      registry: createRegistry('t'),
      log: silentLogger,
    });
    const routing = await listen(router, { port: 0 });
    ({ port } = routing);
    url = `http://127.0.0.1:${port}`;
    stops.push(
      () => routing.close(0),
      () => listening.close(0),
    );
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  it('passes requests and answers through, under its own host name', async () => {
    const answer = await fetch(`${url}/app-proxy/x`, { method: 'POST', body: 'hello' });
    expect([answer.status, await answer.text()]).toEqual([201, 'hello']);
    expect(answer.headers.get('x-host')).not.toContain(String(port));
  });

  it('passes the beginning of an answer before its end', async () => {
    const answer = await fetch(`${url}/app-proxy/stream`);
    const reader = answer.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toBe('first');
    await reader?.cancel();
  });

  it('joins upgraded connections', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /app-proxy/ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (received.endsWith('\r\n\r\n')) socket.write('ping');
    });
    await expect.poll(() => received.endsWith('ping')).toBe(true);
    expect(received).toContain('101');
    socket.destroy();
  });

  it('says which part does not answer', async () => {
    const answer = await fetch(`${url}/workflows/x`);
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      502,
      'its workflow server does not answer',
    ]);
    expect(answer.headers.get(tunnelErrorHeader)).toBe('unseen');
  });

  it('tells an act that may have been seen from one that was not', async () => {
    const answer = await fetch(`${url}/app-proxy/cut`, { method: 'POST' });
    expect([answer.status, answer.headers.get(tunnelErrorHeader)]).toEqual([502, 'cut']);
  });

  it('answers probes by itself', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(url + path)).status).toBe(200);
  });
});
