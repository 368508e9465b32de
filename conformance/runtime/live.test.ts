// What is read live and done to single resources, the whole way: platform, tunnel, app-proxy, engine, cluster.
import type { ComponentLogLine, LogLine } from '@fairlead/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let repository: Repository;
const params = { runtime: 'hosted', namespace: 'argocd', name: 'web' };
const deployment = { group: 'apps', kind: 'Deployment', namespace: 'web', resource: 'web' };

const workload = (annotations: Record<string, string> = {}) =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' }, annotations },
        spec: { containers: [{ name: 'web', image: 'registry.example/web:1' }] },
      },
    },
  });
const componentWorkload = (component: string) => {
  const labels = { 'app.kubernetes.io/part-of': 'fairlead', 'app.kubernetes.io/component': component };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: component, namespace: 'fairlead' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: component, image: 'registry.example/fairlead:1' }] },
      },
    },
  };
};
const secret = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: hidden\nstringData:\n  password: swordfish\n';

beforeAll(async () => {
  house = await startHouse();
  await house.startRuntime();
  await registerHosted(house);
  repository = await house.world.repository('demo/web');
  await repository.push({ 'app/web.yaml': workload(), 'app/hidden.yaml': secret }, 'first');
  await house.world.application('web', {
    project: 'default',
    source: { repoURL: repository.url, path: 'app', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
    syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
  });
  await eventually(async () => {
    const { row } = await house.platform.api.call('getApplication', { params });
    expect([row.health.status, row.sync.status]).toEqual(['Healthy', 'Synced']);
  }, 100_000);
}, 180_000);
afterAll(() => house?.stop());

const api = () => house.platform.api;

async function linesOf(query: { pod?: string; container?: string; tail?: number }): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of api().stream('streamLogs', { params, query })) lines.push(line);
  return lines;
}

describe('logs', () => {
  it('come from all pods of the application, and end', async () => {
    const lines = await linesOf({});
    expect(new Set(lines.map(({ pod }) => pod)).size).toBe(2);
    expect(lines.some(({ line }) => line.includes('starting web from image registry.example/web:1'))).toBe(true);
    expect(lines.every(({ time }) => /^\d{4}-/.test(time))).toBe(true);
  });

  it('of one pod, the last lines only', async () => {
    const [{ pod } = { pod: '' }] = await linesOf({});
    const lines = await linesOf({ pod, tail: 2 });
    expect(lines.map((line) => line.pod)).toEqual([pod, pod]);
  });

  it('of a workload go on while they are followed, and stop when the reader leaves', async () => {
    const lines: LogLine[] = [];
    const query = { ...deployment, follow: true };
    for await (const line of api().stream('streamLogs', { params, query })) {
      lines.push(line);
      if (lines.length === 3) break;
    }
    expect(lines).toHaveLength(3);
  });

  it('of a pod that is not there are refused with the reason, before anything is streamed', async () => {
    await expect(linesOf({ pod: 'nothing' })).rejects.toMatchObject({
      status: 422,
      code: 'invalid',
      message: 'pod nothing is not part of application web',
    });
  });

  it('with a query that makes no sense name the field', async () => {
    await expect(linesOf({ tail: 0 })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('query field tail'),
    });
  });
});

describe('logs of a component that runs in pods', () => {
  const asked = { params: { runtime: 'hosted', component: 'app-proxy' } } as const;

  it('come from its pods in the namespace of the runtime, by their labels', async () => {
    await house.world.client.create(componentWorkload('app-proxy'));
    await eventually(async () => {
      const lines: ComponentLogLine[] = [];
      for await (const line of api().stream('streamComponentLogs', { ...asked, query: {} })) lines.push(line);
      expect(new Set(lines.map(({ pod }) => pod)).size).toBe(2);
      expect(lines.filter(({ line }) => line.includes('starting app-proxy from image'))).toHaveLength(2);
      expect(lines.map(({ time }) => time)).toEqual(lines.map(({ time }) => time).sort());
    }, 30_000);
  });

  it('of one that has none say what was looked for', async () => {
    const reading = async () => {
      const params = { runtime: 'hosted', component: 'tunnel-client' } as const;
      for await (const line of api().stream('streamComponentLogs', { params, query: {} })) expect(line).toBeUndefined();
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('app.kubernetes.io/component=tunnel-client in namespace fairlead'),
    });
  });
});

describe('a resource', () => {
  it('is read as it is in the cluster', async () => {
    const { manifest } = await api().call('getLiveResource', { params, query: deployment });
    expect(manifest).toMatchObject({ kind: 'Deployment', spec: { replicas: 2 }, status: { readyReplicas: 2 } });
  });

  it('that is a Secret shows names and no value', async () => {
    const query = { kind: 'Secret', namespace: 'web', resource: 'hidden' };
    const { manifest } = await api().call('getLiveResource', { params, query });
    expect(manifest['data']).toHaveProperty('password');
    const text = JSON.stringify(manifest);
    expect(text).not.toContain('swordfish');
    expect(text).not.toContain(Buffer.from('swordfish').toString('base64'));
  });

  it('of another application cannot be reached', async () => {
    const query = { kind: 'Secret', namespace: 'fairlead', resource: 'fairlead-runtime' };
    await expect(api().call('getLiveResource', { params, query })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('is no part of application web'),
    });
  });

  it('has events, newest first, and so has the application itself', async () => {
    const { items } = await api().call('listEvents', { params, query: deployment });
    expect(items.map(({ reason }) => reason)).toContain('ScalingReplicaSet');
    expect(items[0]?.object).toEqual({ kind: 'Deployment', namespace: 'web', name: 'web' });
    expect((await api().call('listEvents', { params, query: {} })).items).toBeInstanceOf(Array);
  });

  it('has actions, and runs them; the audit log says who and what', async () => {
    const { items } = await api().call('listResourceActions', { params, query: deployment });
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['restart', 'scale', 'pause']));
    const body = { ...deployment, action: 'scale', parameters: { replicas: '3' } };
    expect(await api().call('runResourceAction', { params, body })).toMatchObject({ accepted: true });
    await eventually(async () => {
      const { manifest } = await api().call('getLiveResource', { params, query: deployment });
      expect(manifest).toMatchObject({ spec: { replicas: 3 } });
    });
    const audit = await api().call('listAudit', { query: { action: 'application.run-action' } });
    expect(audit.items.map(({ outcome }) => outcome)).toEqual(['done', 'requested']);
    expect(audit.items[1]?.details).toMatchObject({ body });
  });

  it('refuses an action that it does not have, and a parameter that makes no sense', async () => {
    const run = (action: string, parameters = {}) =>
      api().call('runResourceAction', { params, body: { ...deployment, action, parameters } });
    await expect(run('explode')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('explode'),
    });
    await expect(run('scale', { replicas: 'many' })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('replicas'),
    });
  });

  it('is deleted from the cluster', async () => {
    const { report } = await api().call('getApplication', { params });
    const pod = report.tree.find(({ kind }) => kind === 'Pod')?.name ?? '';
    const query = { kind: 'Pod', namespace: 'web', resource: pod };
    await api().call('deleteLiveResource', { params, query });
    await eventually(async () => {
      const ref = { group: '', version: 'v1', kind: 'Pod', namespace: 'web', name: pod };
      expect(await house.world.get(ref)).toBeUndefined();
    });
  });
});

describe('the deep Why', () => {
  it('is nothing while all is well', async () => {
    await eventually(async () => {
      const { row } = await api().call('getApplication', { params });
      expect(row.health.status).toBe('Healthy');
      expect((await api().call('explainApplication', { params })).explanation?.cause ?? 'none').not.toBe('crash-loop');
    }, 30_000);
  });

  it('names what the cluster refused, and in which words', async () => {
    const budget = { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', metadata: { name: 'web' }, spec: {} };
    await repository.push({ 'app/old.yaml': JSON.stringify(budget) }, 'an old version');
    await eventually(async () => {
      const { explanation } = await api().call('explainApplication', { params });
      expect(explanation?.cause).toBe('version-not-served');
      expect(explanation?.chain.at(-1)?.quote).toContain('Version "v1" of policy/PodDisruptionBudget is installed');
    }, 40_000);
    await api().call('terminateOperation', { params }); // it would be tried five times
  }, 60_000);

  it('names the cause of a crash with restarts and the last lines of the container', async () => {
    const broken = workload({ 'fairlead.io/simulate': 'crash-loop' });
    await repository.push({ 'app/web.yaml': broken, 'app/old.yaml': '' }, 'break it');
    await eventually(async () => {
      const { explanation } = await api().call('explainApplication', { params });
      expect(explanation?.cause).toBe('crash-loop');
      expect(explanation?.chain.at(-1)?.quote).toContain('starting web');
    }, 40_000);
  }, 60_000);
});
