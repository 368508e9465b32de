import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { selfSigned } from '@fairlead/base/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChartRepositories } from './index.ts';
import { archiveOf, chartFiles, indexOf } from './testing.ts';

describe('a chart repository of a private authority, behind a proxy', () => {
  let authority: string;
  let repository: string;
  let proxy: string;
  const servers: Server[] = [];
  /** What the proxy was asked to reach, and by whom. */
  const passed: string[] = [];
  const open = new Set<Duplex>();

  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port; // a listening TCP server has one
  };

  beforeAll(async () => {
    const certificate = await selfSigned();
    authority = certificate.cert;
    const archive = await archiveOf(chartFiles('shop', '1.0.0'));
    const index = indexOf({ shop: [{ version: '1.0.0', url: 'shop-1.0.0.tgz' }] });
    const charts = createHttps(certificate, (request, response) => {
      response.end(request.url === '/index.yaml' ? index : archive);
    });
    repository = `https://127.0.0.1:${await listen(charts)}`;
    const passing = createHttp();
    passing.on('connect', (request, socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      passed.push(`${request.url} ${request.headers['proxy-authorization'] ?? 'nobody'}`);
      const onwards = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onwards.pipe(socket).pipe(onwards);
      });
      onwards.on('error', () => socket.destroy());
      socket.on('error', () => onwards.destroy());
    });
    proxy = `http://user:word@127.0.0.1:${await listen(passing)}`;
  });
  beforeEach(() => passed.splice(0));
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    for (const server of servers) server.closeAllConnections();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const fetch = (settings: { proxy?: string; noProxy?: string }, isTrusted = true) => {
    const authoritiesFor = (host: string) => (isTrusted && host === '127.0.0.1' ? authority : undefined);
    const known = () => [{ url: repository, ...settings }];
    return new ChartRepositories({ known, authoritiesFor }).fetch({ repository, name: 'shop', version: '1.0.0' });
  };

  it('is believed by the authorities of its host, and not without them', async () => {
    expect(await fetch({})).toMatchObject({ version: '1.0.0' });
    await expect(fetch({}, false)).rejects.toThrow('cannot be reached');
    expect(passed).toEqual([]);
  });

  it('is reached through its proxy, which is told nothing but host and port', async () => {
    expect(await fetch({ proxy })).toMatchObject({ version: '1.0.0' });
    const { host } = new URL(repository);
    expect(new Set(passed)).toEqual(new Set([`${host} Basic ${Buffer.from('user:word').toString('base64')}`]));
    await expect.poll(() => open.size, { timeout: 30_000 }).toBe(0);
    await expect(fetch({ proxy }, false), 'the proxy makes nobody trusted').rejects.toThrow('cannot be reached');
    await expect.poll(() => open.size, { timeout: 30_000 }).toBe(0);
  });

  it('is reached without the proxy where it is excepted', async () => {
    expect(await fetch({ proxy, noProxy: 'other.host, 127.0.0.1' })).toMatchObject({ version: '1.0.0' });
    expect(passed).toEqual([]);
  });
});
