import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock, sha256Hex } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChartRepositories, readArchive } from './index.ts';
import { archiveOf, ChartServer, chartFiles, indexOf } from './testing.ts';

const servers: ChartServer[] = [];
const serverOf = async () => {
  const server = await ChartServer.start();
  servers.push(server);
  return server;
};
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

describe('a chart repository over http', () => {
  let server: ChartServer;
  let archives: Record<string, Buffer>;

  beforeEach(async () => {
    server = await serverOf();
    archives = {};
    for (const version of ['1.0.0', '1.2.0', '2.0.0-rc.1'])
      archives[version] = await archiveOf(chartFiles('shop', version));
    const versions = Object.entries(archives).map(([version, archive]) => {
      server.serve(`/shop-${version}.tgz`, archive);
      return { version, url: `shop-${version}.tgz`, digest: sha256Hex(archive) };
    });
    server.serve('/index.yaml', indexOf({ other: [{ version: '9.9.9', url: 'x.tgz' }], shop: versions }));
  });
  const shop = (version: string) => ({ repository: server.url, name: 'shop', version });

  it.each([
    ['1.0.0', '1.0.0'],
    ['^1.0.0', '1.2.0'],
    ['', '1.2.0'],
    ['>=2.0.0-0', '2.0.0-rc.1'],
    ['1.x', '1.2.0'],
  ])('%j means %s', async (wanted, version) => {
    const fetched = await new ChartRepositories().fetch(shop(wanted));
    expect(fetched).toMatchObject({ version, digest: sha256Hex(archives[version] ?? '') });
  });

  it('asks for an index once a minute, by its etag, and for an archive once', async () => {
    const index = indexOf({ shop: [{ version: '1.0.0', url: 'shop-1.0.0.tgz' }] });
    const tags: (string | undefined)[] = [];
    server.paths.set('/index.yaml', (request, response) => {
      tags.push(request.headers['if-none-match']);
      if (request.headers['if-none-match'] === '"a"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"a"' }).end(index);
    });
    const clock = new FakeClock();
    const charts = new ChartRepositories({ clock });
    await charts.fetch(shop('1.0.0'));
    await charts.fetch(shop('1.0.0'));
    await clock.advance(61_000);
    await charts.fetch(shop('1.0.0'));
    expect(tags).toEqual([undefined, '"a"']);
    expect(charts.counts).toEqual({ downloads: 1, hits: 2 });
  });

  it('refuses an archive that is not what the index promised', async () => {
    server.serve('/shop-1.0.0.tgz', archives['1.2.0'] ?? '');
    await expect(new ChartRepositories().fetch(shop('1.0.0'))).rejects.toMatchObject({
      code: 'chart_invalid',
      message: expect.stringContaining('the repository promised') as string,
    });
  });

  it.each([
    [401, 'chart_refused', /needs credentials.*repository Secret/],
    [404, 'chart_not_found', /not found/],
    [429, 'chart_repository_unavailable', /too many requests/],
    [503, 'chart_repository_unavailable', /the server failed/],
  ])('tells what %i means', async (status, code, message) => {
    server.paths.set('/index.yaml', (_request, response) => response.writeHead(status, { 'retry-after': '7' }).end());
    const failure = new ChartRepositories().fetch(shop('1.0.0'));
    await expect(failure).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
    if (status === 429) await expect(failure).rejects.toMatchObject({ retryAfterMs: 7000 });
  });

  it('names the versions there are when none fits', async () => {
    await expect(new ChartRepositories().fetch(shop('^7'))).rejects.toThrow(
      /no version matches "\^7".*1\.0\.0, 1\.2\.0/,
    );
    await expect(new ChartRepositories().fetch({ ...shop(''), name: 'none' })).rejects.toThrow(/does not have it/);
  });

  it('stops reading an index that does not end', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    server.paths.set('/index.yaml', (_request, response) => {
      response.writeHead(200);
      const more = () => response.write(chunk, (error) => (error ? undefined : more()));
      more();
    });
    await expect(new ChartRepositories().fetch(shop('1.0.0'))).rejects.toThrow(/is larger than/);
  });

  it('finds one chart in a large index without reading the rest', async () => {
    const many = Array.from({ length: 40_000 }, (_, n) => [`c${n}`, [{ version: '1.0.0', url: 'x.tgz' }]] as const);
    const last = [{ version: '1.0.0', url: 'shop-1.0.0.tgz' }];
    server.serve('/index.yaml', indexOf({ ...Object.fromEntries(many), shop: last }));
    expect((await new ChartRepositories().fetch(shop('1.0.0'))).version).toBe('1.0.0');
  });

  it('reads an index in JSON', async () => {
    const entries = { shop: [{ version: '1.0.0', urls: ['shop-1.0.0.tgz'] }] };
    server.serve('/index.yaml', JSON.stringify({ apiVersion: 'v1', entries }));
    expect((await new ChartRepositories().fetch(shop('1'))).version).toBe('1.0.0');
  });

  it('stops with the one who asked', async () => {
    server.paths.set('/index.yaml', () => undefined);
    const asking = new AbortController();
    const fetching = new ChartRepositories().fetch(shop('1.0.0'), { signal: asking.signal });
    asking.abort(new Error('asked to stop'));
    await expect(fetching).rejects.toThrow('asked to stop');
  });

  it('sends credentials to their own host and to no other', async () => {
    const elsewhere = await serverOf();
    elsewhere.serve('/moved.tgz', archives['1.0.0'] ?? '');
    elsewhere.serve('/absolute.tgz', archives['1.2.0'] ?? '');
    server.paths.set('/shop-1.0.0.tgz', (_request, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/moved.tgz` }).end(),
    );
    const index = indexOf({
      shop: [
        { version: '1.0.0', url: 'shop-1.0.0.tgz' },
        { version: '1.2.0', url: `${elsewhere.url}/absolute.tgz` },
      ],
    });
    server.serve('/index.yaml', index);
    const known = [{ name: 'mine', url: server.url, username: 'ana', password: 'geheim' }];
    const charts = new ChartRepositories({ known: () => known });
    await charts.fetch({ ...shop('1.0.0'), repository: '@mine' });
    await charts.fetch(shop('1.2.0'));
    const basic = `Basic ${Buffer.from('ana:geheim').toString('base64')}`;
    expect(server.requests.every(({ authorization }) => authorization === basic)).toBe(true);
    expect(elsewhere.requests.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
  });

  it('says which Secret an unknown alias needs', async () => {
    await expect(new ChartRepositories().fetch({ ...shop(''), repository: '@mine' })).rejects.toThrow(
      /no repository is called "mine"; add a repository Secret/,
    );
  });

  it('keeps archives on disk, and notices when one was changed there', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'fairlead-charts-'));
    try {
      await new ChartRepositories({ dir }).fetch(shop('1.0.0'));
      const again = new ChartRepositories({ dir });
      await again.fetch(shop('1.0.0'));
      expect(again.counts).toEqual({ downloads: 0, hits: 1 });
      const file = join(dir, (await readdir(dir))[0] ?? '');
      const content = await readFile(file);
      content[100] = (content[100] ?? 0) ^ 1;
      await writeFile(file, content);
      const mended = new ChartRepositories({ dir });
      expect((await mended.fetch(shop('1.0.0'))).digest).toBe(sha256Hex(archives['1.0.0'] ?? ''));
      expect(mended.counts.downloads).toBe(1);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});

describe('a chart in an OCI registry', () => {
  const fetchFrom = async (server: ChartServer, version: string) => {
    const known = [{ url: server.host, isOci: true, plainHttp: true, username: 'ana', password: 'geheim' }];
    return new ChartRepositories({ known: () => known }).fetch({
      repository: `oci://${server.host}/charts`,
      name: 'shop',
      version,
    });
  };

  it.each([
    ['1.0.0', '1.0.0'],
    ['^1', '1.1.0+build.5'],
  ])('%s means %s', async (wanted, version) => {
    const server = await serverOf();
    server.serveOci('charts/shop', {
      '1.0.0': await archiveOf(chartFiles('shop', '1.0.0')),
      '1.1.0+build.5': await archiveOf(chartFiles('shop', '1.1.0+build.5')),
    });
    expect((await fetchFrom(server, wanted)).version).toBe(version);
  });

  it('takes a token where the registry says, and shows it to the registry alone', async () => {
    const [server, storage] = [await serverOf(), await serverOf()];
    const archive = await archiveOf(chartFiles('shop', '1.0.0'));
    server.serveOci('charts/shop', { '1.0.0': archive });
    storage.serve('/blob', archive);
    const blob = `/v2/charts/shop/blobs/sha256:${sha256Hex(archive)}`;
    server.paths.set(blob, (_request, response) => response.writeHead(307, { location: `${storage.url}/blob` }).end());
    for (const [path, answer] of [...server.paths]) {
      server.paths.set(path, (request, response) => {
        if (request.headers.authorization === 'Bearer t0ken') return answer(request, response);
        const challenge = `Bearer realm="${server.url}/token",service="s",scope="repository:charts/shop:pull"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
      });
    }
    server.serve('/token', JSON.stringify({ token: 't0ken', expires_in: 300 }));
    expect((await fetchFrom(server, '1.0.0')).version).toBe('1.0.0');
    const basic = `Basic ${Buffer.from('ana:geheim').toString('base64')}`;
    expect(server.requests.find(({ path }) => path === '/token')?.authorization).toBe(basic);
    expect(server.countOf('/token')).toBe(1);
    expect(storage.requests).toEqual([{ path: '/blob', authorization: undefined }]);
  });

  it('refuses a blob that is not what its digest names', async () => {
    const server = await serverOf();
    const archive = await archiveOf(chartFiles('shop', '1.0.0'));
    server.serveOci('charts/shop', { '1.0.0': archive });
    server.serve(`/v2/charts/shop/blobs/sha256:${sha256Hex(archive)}`, 'something else');
    await expect(fetchFrom(server, '1.0.0')).rejects.toMatchObject({ code: 'chart_invalid' });
  });

  it('refuses what is no chart, and names what is no path', async () => {
    const server = await serverOf();
    server.serve('/v2/charts/shop/manifests/1.0.0', JSON.stringify({ layers: [{ mediaType: 'x', digest: 'y' }] }));
    await expect(fetchFrom(server, '1.0.0')).rejects.toThrow(/holds no Helm chart/);
    const odd = { repository: 'oci://host/../x', name: 'shop', version: '1.0.0' };
    await expect(new ChartRepositories().fetch(odd)).rejects.toThrow(/no place in a registry/);
  });
});

describe('readArchive', () => {
  it('refuses links, paths that leave the chart, and what unpacks to too much', async () => {
    const link = await archiveOf({}, (archive) => archive.entry({ name: 'a/l', type: 'symlink', linkname: '/etc' }));
    await expect(readArchive(link, 'a.tgz')).rejects.toThrow(/a chart holds files only/);
    await expect(readArchive(await archiveOf({ '../x/y': '' }), 'a.tgz')).rejects.toThrow(/outside the base directory/);
    await expect(readArchive(Buffer.from('no tar'), 'a.tgz')).rejects.toThrow(/is not a chart archive/);
    const zeros = '\0'.repeat(64 * 1024 * 1024);
    const bomb = await archiveOf({ 'a/1': zeros, 'a/2': zeros, 'a/3': zeros });
    await expect(readArchive(bomb, 'a.tgz')).rejects.toThrow(/unpacks to more than/);
  });
});
