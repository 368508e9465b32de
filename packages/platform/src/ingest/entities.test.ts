import { contentHash } from '@fairlead/base';
import type { ClusterReport, GitSourceReport, LiveMessage, ReportedObject } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { adminKey, eventually, reported, sampleReport } from '../testing.ts';

const platform = platformForTests();
const runtime = runtimeForTests(platform, 'setting-up');
let sequence = 0;

const cluster = (over: Partial<ClusterReport> = {}): ClusterReport => ({
  name: 'prod-eu',
  server: 'https://prod-eu.example',
  labels: { region: 'eu' },
  annotations: {},
  version: '1.33',
  status: 'Successful',
  applications: 2,
  ...over,
});
const gitSource = (over: Partial<GitSourceReport> = {}): GitSourceReport => ({
  name: 'team-a',
  namespace: 'argocd',
  repoUrl: 'https://git.example/team-a/apps.git',
  branch: 'main',
  path: '',
  include: '*',
  exclude: '',
  sync: 'Synced',
  health: 'Healthy',
  applications: 1,
  ...over,
});
const stamp = (key: string, content: unknown, at = ++sequence) => ({
  key,
  uid: key,
  epoch: 1,
  sequence: at,
  observedAt: new Date().toISOString(),
  hash: contentHash(content),
});
const ofCluster = (report: ClusterReport, at?: number): ReportedObject => ({
  kind: 'cluster',
  cluster: report,
  ...stamp(report.server, report, at),
});
const ofGitSource = (report: GitSourceReport): ReportedObject => ({
  kind: 'git-source',
  gitSource: report,
  ...stamp(`${report.namespace}/${report.name}`, report),
});
const send = (...objects: unknown[]) => runtime.report(objects);

describe('a reported cluster', () => {
  it('is listed with its status and reason', async () => {
    await send(ofCluster(cluster()));
    await send(ofCluster(cluster({ status: 'Failed', message: 'no answer within 8 s' })));
    const { items } = await platform.api.call('listClusters', {});
    expect(items).toMatchObject([{ runtime: 'setting-up', status: 'Failed', message: 'no answer within 8 s' }]);
    const elsewhere = await platform.api.call('listClusters', { query: { runtime: 'other' } });
    expect(elsewhere.items).toEqual([]);
  });

  it('does not go back to an older state, and goes when it is unlinked', async () => {
    const late = ofCluster(cluster({ name: 'late', server: 'https://late' }), ++sequence);
    const newer = ofCluster(cluster({ name: 'newer', server: 'https://late' }));
    await send(newer);
    expect(await send(late)).toMatchObject({ applied: 0, ignored: 1 });
    await send({ kind: 'cluster', deleted: true, ...stamp('https://late', null) });
    const { items } = await platform.api.call('listClusters', {});
    expect(items.map(({ server }) => server)).not.toContain('https://late');
  });

  it('under a key that is not its own is set aside', async () => {
    const wrong = { ...ofCluster(cluster()), key: 'https://elsewhere' };
    expect((await send(wrong)).quarantined).toMatchObject([{ reason: 'key is not the key of the reported object' }]);
  });

  it('can be compared by digest', async () => {
    const report = cluster({ name: 'digested', server: 'https://digested' });
    await send(ofCluster(report));
    const objects = { 'https://digested': contentHash(report), 'https://missing': contentHash(1) };
    const shard = { index: 0, count: 1 };
    const body = { reporter: 'test', kind: 'cluster', epoch: 1, shard, objects } as const;
    const answer = await runtime.api.call('exchangeDigest', { body });
    expect(answer.send).toEqual(['https://missing']);
    expect(answer.unknown).not.toContain('https://digested');
  });
});

describe('a Git Source', () => {
  it('is listed as such and not among applications', async () => {
    const labels = { 'fairlead.io/entity': 'git-source' };
    await send(ofGitSource(gitSource()), reported(sampleReport('team-a', { labels }), ++sequence));
    await send(reported(sampleReport('team-a-shop'), ++sequence));
    const { items } = await platform.api.call('listGitSources', {});
    expect(items).toMatchObject([{ runtime: 'setting-up', name: 'team-a', applications: 1 }]);
    const applications = await platform.api.call('listApplications', {});
    expect(applications.items.map(({ id }) => id.name)).toEqual(['team-a-shop']);
    expect(applications.summary.total).toBe(1);
    const id = { runtime: 'setting-up', namespace: 'argocd', name: 'team-a' };
    expect((await platform.api.call('getApplication', { params: id })).row.id).toEqual(id);
    const { items: runtimes } = await platform.api.call('listRuntimes', {});
    expect(runtimes).toMatchObject([{ applications: 1 }]);
    // The engine counts those that the runtime keeps for itself too.
    const name = applications.items[0]?.destination.cluster ?? '';
    await send(ofCluster(cluster({ name, server: 'https://counted', applications: 2 })));
    const { items: clusters } = await platform.api.call('listClusters', {});
    expect(clusters.find(({ server }) => server === 'https://counted')).toMatchObject({ applications: 1 });
  });

  it('is told to people who watch, as are clusters', async () => {
    const controller = new AbortController();
    const messages: LiveMessage[] = [];
    const answer = await fetch(`${platform.url}/api/v1/live`, {
      signal: controller.signal,
      headers: { authorization: `Bearer ${adminKey}` },
    });
    const reading = (async () => {
      for await (const chunk of answer.body ?? []) {
        for (const [, data = ''] of Buffer.from(chunk)
          .toString('utf8')
          .matchAll(/^data: (.*)$/gm)) {
          messages.push(JSON.parse(data));
        }
      }
    })().catch(() => undefined);
    await eventually('the feed begins', () => messages.length > 0);
    const labels = { 'fairlead.io/entity': 'git-source' };
    const moved = sampleReport('team-a', { labels, health: { status: 'Degraded' } });
    await send(reported(moved, ++sequence), ofGitSource(gitSource({ sync: 'OutOfSync' })), ofCluster(cluster()));
    await send({ kind: 'git-source', deleted: true, ...stamp('argocd/team-a', null) });
    await eventually('the deletion is told', () => messages.some(({ type }) => type === 'git-source-deleted'));
    controller.abort();
    await reading;
    expect(messages).toContainEqual(
      expect.objectContaining({ type: 'cluster', row: expect.objectContaining({ status: 'Successful' }) }),
    );
    expect(messages.filter(({ type }) => type.startsWith('application'))).toEqual([]);
  });
});
