// Polls at rest: no webhook arrives here, so that everything new of a repository is found by asking.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineProcess, type FaultWorld, startFaultWorld } from './faults.ts';
import { configMap, manifests, refTo } from './scenarios/objects.ts';
import { eventually } from './world.ts';

let faults: FaultWorld;
let engine: EngineProcess;

beforeAll(async () => {
  faults = await startFaultWorld();
  engine = await faults.engineProcess('polls', { leaseSeconds: 30, pollSeconds: 3600 });
}, 60_000);
afterAll(async () => {
  await engine.stop();
  await faults.world.stop();
});

async function numbers(): Promise<{ resting: number; loads: number }> {
  const text = await (await fetch(`${engine.url}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^fairlead_engine_${name}\\{[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]);
  return { resting: read('resting_polls_total'), loads: read('source_loads_total') };
}

it('a poll without news loads and compares nothing; news, drift and a changed project are seen as before', async () => {
  const { world } = faults;
  const repo = await world.repository('demo/polls');
  await repo.push({ 'app/all.yaml': manifests(configMap('a', '1')) });
  await world.application('polls', {
    project: 'default',
    source: { repoURL: repo.url, path: 'app', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'polls' },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
  });
  const hasKey = (key: string) =>
    eventually(async () => {
      expect(await world.get(refTo('ConfigMap', 'a', 'polls'))).toMatchObject({ data: { key } });
      expect((await world.app('polls')).status).toMatchObject({
        sync: { status: 'Synced' },
        operationState: { phase: 'Succeeded' },
      });
    }, 60_000);
  const rests = async (polls: number) => {
    const before = await numbers();
    await eventually(
      async () => expect((await numbers()).resting).toBeGreaterThanOrEqual(before.resting + polls),
      60_000,
    );
  };
  await hasKey('1');
  // The flag says an hour; what people set counts at once, and what they set wrong does not count.
  await world.client.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace: 'argocd' },
    data: {
      'timeout.reconciliation': '1s',
      'timeout.reconciliation.jitter': '0',
      'timeout.hard.reconciliation': 'soon',
    },
  });
  await rests(1);
  const { loads } = await numbers();
  await rests(2);
  expect((await numbers()).loads).toBe(loads);

  await repo.push({ 'app/all.yaml': manifests(configMap('a', '2')) });
  await hasKey('2');
  await rests(1);
  const elsewhere = await repo.push({ 'other/all.yaml': manifests(configMap('b')) });
  await eventually(async () => expect((await world.app('polls')).status?.sync?.revision).toBe(elsewhere), 60_000);
  expect((await world.app('polls')).status?.history).toHaveLength(2);
  await rests(1);
  await world.client.patch(refTo('ConfigMap', 'a', 'polls'), { data: { key: 'drifted' } }, { type: 'merge' });
  await hasKey('2');
  await rests(1);

  const project = refTo('AppProject', 'default', 'argocd');
  const allow = (sourceRepos: string[]) => world.client.patch(project, { spec: { sourceRepos } }, { type: 'merge' });
  await allow(['https://elsewhere.example/*']);
  await eventually(async () => {
    const conditions = (await world.app('polls')).status?.conditions ?? [];
    expect(conditions.map(({ message }) => message).join()).toMatch(/is not permitted in project/);
  }, 60_000);
  await allow(['*']);
  await rests(1);
}, 240_000);
