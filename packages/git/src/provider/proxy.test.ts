import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from '@fairlead/base';
import { selfSigned } from '@fairlead/base/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchTrusting } from './fetch-trusting.ts';
import { proxyOf } from './proxy.ts';

describe('proxyOf', () => {
  const env = {
    HTTPS_PROXY: 'http://proxy:3128',
    http_proxy: 'plain:8080',
    NO_PROXY: 'corp.example, .in.example,a:8443',
  };

  it.each([
    ['https://api.github.com/user', 'http://proxy:3128'],
    ['http://git.example/api', 'http://plain:8080'],
    ['https://git.corp.example/api', undefined],
    ['https://corp.example/api', undefined],
    ['https://notcorp.example/api', 'http://proxy:3128'],
    ['https://x.in.example/', undefined],
    ['https://a:8443/', undefined],
    ['https://a/', 'http://proxy:3128'],
    ['https://127.0.0.1:3000/', undefined],
    ['http://localhost:3000/', undefined],
    ['http://[::1]:3000/', undefined],
  ])('%s goes through %s', (url, proxy) => {
    expect(proxyOf(new URL(url), env)).toBe(proxy);
  });

  it('is nobody without the variables, and for all hosts that *', () => {
    expect(proxyOf(new URL('https://x.example'), {})).toBeUndefined();
    expect(proxyOf(new URL('https://x.example'), { https_proxy: 'p:1', no_proxy: '*' })).toBeUndefined();
    expect(proxyOf(new URL('https://x.example'), { HTTP_PROXY: 'p:1' }), 'another protocol').toBeUndefined();
  });
});

describe('an API that only a proxy reaches', () => {
  let authority: string;
  let proxy: string;
  const passed: string[] = [];
  const open = new Set<Duplex>();
  const stops: ((graceMs: number) => Promise<void>)[] = [];

  beforeAll(async () => {
    const certificate = await selfSigned({ altNames: 'DNS:git.example' });
    authority = certificate.cert;
    const api = await listen(
      createHttps(certificate, (_, response) => void response.end('"hello"')),
      { port: 0 },
    );
    const passing = createHttp();
    passing.on('connect', (request, socket) => {
      passed.push(`${request.url} ${request.headers['proxy-authorization'] ?? 'nobody'}`);
      const onwards = connect(api.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onwards.pipe(socket).pipe(onwards);
      });
      onwards.on('error', () => socket.destroy());
      socket.on('error', () => onwards.destroy());
      open.add(socket).add(onwards);
    });
    const listening = await listen(passing, { port: 0 });
    proxy = `http://user:word@127.0.0.1:${listening.port}`;
    stops.push(api.close, listening.close);
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy(); // a server forgets what it was asked to connect
    for (const stop of stops) await stop(0);
  });

  it('is asked through it, with the name and password of its address, and believed by its own authority only', async () => {
    const url = new URL('https://git.example/api');
    const asked = (believed: string | undefined) => fetchTrusting(believed, url, { env: { HTTPS_PROXY: proxy } });
    expect(await (await asked(authority)).json()).toBe('hello');
    expect(passed).toEqual([`git.example:443 Basic ${Buffer.from('user:word').toString('base64')}`]);
    await expect(asked(undefined)).rejects.toThrow();
  });
});
