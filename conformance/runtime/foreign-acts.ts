// What a runtime does through the API of an Argo CD that belongs to others, whichever stands behind it: told once, played by
// the test (our engine behind Argo CD's paths) and by the proof with a real one.
import { expect, it } from 'vitest';
import { eventually, type Repository } from '../engine/world.ts';
import type { House } from './world.ts';

interface Foreign {
  readonly house: House;
  readonly repository: Repository;
  readonly version: string;
}

export const foreignParams = { runtime: 'hosted', namespace: 'argocd', name: 'theirs' };
const params = foreignParams;
const deployment = { group: 'apps', kind: 'Deployment', namespace: 'theirs', resource: 'web' };

export const workload = (image: string) =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
    },
  });

export function defineForeignActs(current: () => Foreign): void {
  const api = () => current().house.platform.api;
  const row = async () => (await api().call('getApplication', { params })).row;

  it('applications arrive with tree, manifests and commit, and the engine under its own version', async () => {
    await eventually(async () => expect((await row()).sync.status).toBe('OutOfSync'), 60_000);
    const { report } = await api().call('getApplication', { params });
    expect(report.resources).toMatchObject([{ kind: 'Deployment', name: 'web' }]);
    expect((await row()).commit?.message).toContain('first');
    await eventually(async () => {
      const runtime = await api().call('getRuntime', { params: { runtime: 'hosted' } });
      expect(runtime.report?.engine).toEqual({ kind: 'argo-cd', version: current().version });
    });
  });

  it('every act works: sync, refresh, actions, live state, logs, events, why, deletion, rollback', async () => {
    await api().call('syncApplication', { params, body: {} });
    await eventually(
      async () => expect([(await row()).sync.status, (await row()).health.status]).toEqual(['Synced', 'Healthy']),
      60_000,
    );
    await api().call('refreshApplication', { params, body: { hard: true } });
    const actions = (await api().call('listResourceActions', { params, query: deployment })).items;
    expect(actions.map(({ name }) => name)).toContain('restart');
    await api().call('runResourceAction', { params, body: { ...deployment, action: 'restart' } });
    expect(JSON.stringify(await api().call('getLiveResource', { params, query: deployment }))).toContain('restartedAt');
    // The pods of the restart may still be coming up.
    await eventually(async () => {
      const lines: string[] = [];
      for await (const { line } of api().stream('streamLogs', { params, query: {} })) lines.push(line);
      expect(lines.length).toBeGreaterThan(0);
    }, 60_000);
    expect((await api().call('listEvents', { params, query: deployment })).items.length).toBeGreaterThan(0);
    await api().call('explainApplication', { params });
    const second = await current().repository.push({ 'app/web.yaml': workload('registry.example/web:2') }, 'second');
    await api().call('syncApplication', { params, body: {} });
    await eventually(
      async () => expect((await row()).sync).toMatchObject({ status: 'Synced', revision: second }),
      60_000,
    );
    await api().call('deleteLiveResource', { params, query: deployment });
    await eventually(async () => expect((await row()).sync.status).toBe('OutOfSync'), 60_000);
    const { report } = await api().call('getApplication', { params });
    const [first] = report.history;
    await api().call('rollbackApplication', { params, body: { historyId: first?.id ?? 0 } });
    await eventually(async () => expect((await row()).images).toEqual(['registry.example/web:1']), 60_000);
    await expect(api().call('terminateOperation', { params })).rejects.toMatchObject({ message: /operation/i });
  });
}
