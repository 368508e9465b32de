import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec, silentLogger } from '@fairlead/base';
import { GitMirrors, WorkingCopy } from '@fairlead/git';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChartRepositories } from '../charts/index.ts';
import { Renderer } from '../renderer.ts';
import { manifestsOf, SourceLoader } from './index.ts';

let dir: string;
let mirrors: GitMirrors;
let server: Server;
let url: string;
/** What the chart repository wants in `authorization`, if it is private. */
let demanded: string | undefined;

/** A repository with one chart in the version given. */
async function publish(version: string): Promise<Buffer> {
  const chart = await WorkingCopy.init(join(dir, `chart-${version}`));
  await chart.write({
    'shop/Chart.yaml': `apiVersion: v2\nname: shop\nversion: ${version}\n`,
    'shop/templates/c.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}", namespace: "{{ .Release.Namespace }}"}\ndata: {v: "{{ .Chart.Version }}", e: "{{ .Values.env }}", k: "{{ .Capabilities.KubeVersion }}"}\n',
  });
  const archive = join(dir, `shop-${version}.tgz`);
  await exec('tar', ['-czf', archive, '-C', chart.dir, 'shop']);
  return readFile(archive);
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-sources-'));
  mirrors = new GitMirrors({ dir: join(dir, 'mirrors'), log: silentLogger, allowFile: true });
  const archives = new Map<string, Buffer>();
  for (const version of ['1.0.0', '1.3.0']) archives.set(`/shop-${version}.tgz`, await publish(version));
  const entry = (version: string) => `  - version: ${version}\n    urls: [shop-${version}.tgz]\n`;
  const index = `apiVersion: v1\nentries:\n  shop:\n${entry('1.3.0')}${entry('1.0.0')}`;
  demanded = undefined;
  server = createServer((request, response) => {
    if (demanded !== undefined && request.headers.authorization !== demanded) return response.writeHead(401).end();
    const body = request.url === '/index.yaml' ? index : archives.get(request.url ?? '');
    return response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening TCP server has one
});

afterEach(async () => {
  server.closeAllConnections();
  await Promise.all([mirrors.stop(), new Promise((resolve) => server.close(resolve))]);
  await rm(dir, { recursive: true });
});

const webInTeam = { applicationName: 'web', namespace: 'team', kubeVersion: '1.31.2' };

describe('SourceLoader', () => {
  it('loads a chart from a repository with values from Git; the revision of a chart is its version', async () => {
    const values = await WorkingCopy.init(join(dir, 'values'));
    await values.write({ 'prod.yaml': 'env: prod\n' });
    const commit = await values.commit('values');
    const sources = [
      { repoURL: url, chart: 'shop', targetRevision: '1.x', helm: { valueFiles: ['$values/prod.yaml'] } },
      { repoURL: values.dir, targetRevision: 'main', ref: 'values' },
    ];
    const renderer = new Renderer();
    const charts = new ChartRepositories();
    const loader = new SourceLoader({ mirrors, renderer, charts, credentialsFor: () => undefined });
    const { signal } = new AbortController();
    const context = webInTeam;
    const loaded = await loader.load({ sources, isMulti: true, context }, { signal });
    expect(loaded.revisions).toEqual(['1.3.0', commit]);
    expect(await loader.isUntouched(sources, loaded, { signal })).toBe(false); // a newer chart may be there
    expect(manifestsOf(loaded)).toMatchObject([
      { metadata: { name: 'web', namespace: 'team' }, data: { v: '1.3.0', e: 'prod', k: 'v1.31.2' } },
    ]);
    const back = await loader.load({ sources, isMulti: true, context }, { signal, revisions: ['1.0.0', commit] });
    expect(manifestsOf(back)).toMatchObject([{ data: { v: '1.0.0' } }]);
  });

  it('knows without a render whether a commit touches what was read', async () => {
    const mono = await WorkingCopy.init(join(dir, 'mono'));
    const chart = { 'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', 'web/values.yaml': 'n: 1\n' };
    const template = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {n: "{{ .Values.n }}"}\n';
    const before = { ...chart, 'web/templates/c.yaml': template, 'env/prod.yaml': 'n: 2\n', 'other/a.yaml': '' };
    await mono.write(before);
    await mono.commit('first');
    const at = { repoURL: mono.dir, targetRevision: 'main' };
    const sources = [
      { ...at, path: 'web', helm: { valueFiles: ['$env/env/prod.yaml'] } },
      { ...at, ref: 'env' },
    ];
    const renderer = new Renderer();
    const loader = new SourceLoader({
      mirrors,
      renderer,
      charts: new ChartRepositories(),
      credentialsFor: () => undefined,
    });
    const options = { signal: new AbortController().signal };
    const loaded = await loader.load({ sources, isMulti: true, context: webInTeam }, options);
    const found = async (files: Readonly<Record<string, string | null>>) => {
      await mono.write(files);
      await mono.commit('next');
      return [await loader.isStillAt(sources, loaded, options), await loader.isUntouched(sources, loaded, options)];
    };
    expect(await loader.isStillAt(sources, loaded, options)).toBe(true);
    expect(await found({ 'other/a.yaml': '# new\n', 'env/dev.yaml': 'n: 3\n' })).toEqual([false, true]);
    expect(await found({ 'env/prod.yaml': 'n: 4\n' })).toEqual([false, false]);
    expect(await found({ 'env/prod.yaml': 'n: 2\n' })).toEqual([false, true]);
    expect(await found({ 'web/templates/d.yaml': template })).toEqual([false, false]);
    const { misses } = renderer.counts;
    expect(misses).toBe(1);
  });

  it('reads no private chart with credentials that the project was not given', async () => {
    demanded = `Basic ${Buffer.from('reader:key').toString('base64')}`;
    const umbrella = await WorkingCopy.init(join(dir, 'umbrella'));
    const dependencies = `dependencies: [{ name: shop, version: 1.x, repository: "${url}" }]\n`;
    await umbrella.write({ 'Chart.yaml': `apiVersion: v2\nname: umbrella\nversion: 1.0.0\n${dependencies}` });
    await umbrella.commit('a chart that asks for another');
    const known = () => [{ url, isTemplate: false, isOci: false, username: 'reader', password: 'key' }];
    const charts = new ChartRepositories({ known });
    const openCharts = new ChartRepositories();
    const renderer = new Renderer();
    const loader = new SourceLoader({ mirrors, renderer, charts, openCharts, credentialsFor: () => undefined });
    const load = (permits: (repository: string) => boolean) => {
      const sources = [{ repoURL: umbrella.dir, path: '.', targetRevision: 'main' }];
      const context = { applicationName: 'web', namespace: 'team', permits };
      return loader.load({ sources, isMulti: false, context }, { signal: new AbortController().signal });
    };
    expect(manifestsOf(await load(() => true))).toMatchObject([{ data: { v: '1.3.0' } }]);
    await expect(
      load(() => false),
      'not even from the cache',
    ).rejects.toThrow(/needs credentials/);
  });

  it('runs programs only where it may, and only for those who ask', async () => {
    const sources = [{ repoURL: url, chart: 'shop', targetRevision: '1.0.0' }];
    const deps = { mirrors, charts: new ChartRepositories(), credentialsFor: () => undefined };
    const told = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'told' } });
    const programs = { identity: async () => '1', run: async () => told };
    const load = (may: boolean, renderWith?: string) => {
      const loader = new SourceLoader({ ...deps, renderer: new Renderer(), ...(may ? { programs } : {}) });
      const context = { applicationName: 'web', namespace: 'team', renderWith };
      return loader.load({ sources, isMulti: false, context }, { signal: new AbortController().signal });
    };
    expect(manifestsOf(await load(true, 'program'))).toMatchObject([{ metadata: { name: 'told' } }]);
    for (const builtIn of [undefined, 'built-in'])
      expect(manifestsOf(await load(true, builtIn))).toMatchObject([{ metadata: { name: 'web' } }]);
    await expect(load(false, 'program')).rejects.toThrow('its setting enginePrograms allows them');
    await expect(load(true, 'helm')).rejects.toThrow('"helm" is none of built-in, program');
  });
});
