import { sha256Hex } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Renderer, render } from '../renderer.ts';
import { MemoryTree } from '../testing.ts';
import { ArchiveTree, ChartRepositories } from './index.ts';
import { archiveOf, ChartServer, chartFiles, indexOf } from './testing.ts';

let server: ChartServer;
beforeEach(async () => {
  server = await ChartServer.start();
});
afterEach(() => server.stop());

async function publish(versions: readonly string[]): Promise<void> {
  const entries = [];
  for (const version of versions) {
    const archive = await archiveOf(chartFiles('db', version));
    server.serve(`/db-${version}.tgz`, archive);
    entries.push({ version, url: `db-${version}.tgz`, digest: sha256Hex(archive) });
  }
  server.serve('/index.yaml', indexOf({ db: entries }));
}

const umbrella = (version: string, more: Record<string, string> = {}) =>
  new MemoryTree({
    'Chart.yaml': `apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies:\n- name: db\n  version: ${version}\n  repository: ${server.url}\n`,
    ...more,
  });
const source = { repoURL: 'u', path: '' };

describe('charts from repositories', () => {
  it('are dependencies of a chart in Git, and inputs of its render', async () => {
    await publish(['1.0.0', '1.4.0']);
    const charts = new ChartRepositories();
    const request = { tree: umbrella('^1.0.0', { 'values.yaml': 'db: {greeting: hi}\n' }), source, charts };
    const result = await render({ ...request, target: { releaseName: 'rel' } });
    expect(result.manifests[0]).toMatchObject({ metadata: { name: 'rel-db' }, data: { v: '1.4.0', g: 'hi' } });
    expect(result.charts).toEqual([
      { repository: server.url, name: 'db', version: '^1.0.0', taken: '1.4.0', digest: expect.any(String) as string },
    ]);
  });

  it('are rendered anew when the range means another version, and not before', async () => {
    await publish(['1.0.0']);
    const renderer = new Renderer();
    const versionNow = async (charts: ChartRepositories) =>
      (await renderer.render({ tree: umbrella('^1.0.0'), source, charts })).manifests[0]?.['data'];
    const charts = new ChartRepositories();
    expect(await versionNow(charts)).toMatchObject({ v: '1.0.0' });
    expect(await versionNow(charts)).toMatchObject({ v: '1.0.0' });
    expect(renderer.counts).toMatchObject({ hits: 1, misses: 1 });
    await publish(['1.0.0', '1.1.0']);
    expect(await versionNow(new ChartRepositories())).toMatchObject({ v: '1.1.0' });
  });

  it('keep the last render while the repository is away', async () => {
    await publish(['1.0.0']);
    const renderer = new Renderer();
    await renderer.render({ tree: umbrella('^1.0.0'), source, charts: new ChartRepositories() });
    server.paths.clear();
    const again = await renderer.render({ tree: umbrella('^1.0.0'), source, charts: new ChartRepositories() });
    expect(again.manifests).toHaveLength(1);
  });

  it('are missing, by name, where there is nowhere to take them from', async () => {
    await expect(render({ tree: umbrella('1.0.0'), source })).rejects.toThrow(
      `found in Chart.yaml, but missing in charts/ directory: db (from ${server.url})`,
    );
  });

  it('follow a lock file that belongs to the chart, and refuse one that does not', async () => {
    await publish(['1.0.0', '1.4.0']);
    const dependency = { name: 'db', version: '^1.0.0', repository: server.url };
    const locked = { name: 'db', version: '1.0.0', repository: server.url };
    const digest = sha256Hex(JSON.stringify([[dependency], [locked]]));
    const lock = (told: string) =>
      `dependencies:\n- name: db\n  repository: ${server.url}\n  version: 1.0.0\ndigest: sha256:${told}\n`;
    const charts = new ChartRepositories();
    const good = await render({ tree: umbrella('^1.0.0', { 'Chart.lock': lock(digest) }), source, charts });
    expect(good.manifests[0]).toMatchObject({ data: { v: '1.0.0' } });
    const bad = umbrella('^1.0.0', { 'Chart.lock': lock('0'.repeat(64)) });
    await expect(render({ tree: bad, source, charts })).rejects.toThrow(/out of sync.*Please update the dependencies/);
  });

  it('are sources themselves, with values that another source lends', async () => {
    await publish(['1.0.0']);
    const charts = new ChartRepositories();
    const fetched = await charts.fetch({ repository: server.url, name: 'db', version: '' });
    const tree = await ArchiveTree.of(fetched, 'db-1.0.0.tgz');
    const values = new MemoryTree({ 'env/prod.yaml': 'greeting: lent\n' });
    const chartSource = { repoURL: server.url, chart: 'db', helm: { valueFiles: ['$values/env/prod.yaml'] } };
    const { manifests, lent, sourceType } = await render({ tree, source: chartSource, refs: { values }, charts });
    expect(manifests[0]).toMatchObject({ data: { g: 'lent' } });
    expect(lent['values']?.blobs.map(({ path }) => path)).toEqual(['env/prod.yaml']);
    expect(sourceType).toBe('Helm');
  });
});
