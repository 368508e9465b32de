// What leaves the source.
import { expect } from 'vitest';
import { eventually } from '../world.ts';
import { configMap, manifests, options } from './objects.ts';
import { auto, manual, type Play, type Scenario, scenario } from './play.ts';

const approve = () => ({
  metadata: { annotations: { 'argocd.argoproj.io/deletion-approved': new Date(Date.now() + 1000).toISOString() } },
});

/** Deploys `a` and `b` and takes `b` out of the source. */
async function without(play: Play, syncPolicy: object, b = configMap('b')): Promise<void> {
  await play.play([configMap('a'), b], { syncPolicy: auto });
  await play.synced();
  await play.edit({ spec: { syncPolicy: { automated: null, ...syncPolicy } } });
  await play.push({ 'all.yaml': manifests(configMap('a')) });
}

export const pruneScenarios: readonly Scenario[] = [
  scenario('automated prune deletes what left the source', async (play) => {
    await play.play([configMap('a'), configMap('b')], { syncPolicy: auto });
    await play.synced();
    await play.push({ 'all.yaml': manifests(configMap('a')) });
    await play.gone('ConfigMap', 'b');
    await play.synced();
  }),
  scenario('without prune it stays, and is marked', async (play) => {
    await without(play, { automated: { prune: null, selfHeal: null } });
    await play.reaches({ sync: 'OutOfSync' });
    expect(await play.resource('ConfigMap', 'b')).toMatchObject({ requiresPruning: true, status: 'OutOfSync' });
    expect(await play.get('ConfigMap', 'b')).toBeDefined();
  }),
  scenario('a sync without prune says that it left something', async (play) => {
    await without(play, manual);
    await play.reaches({ sync: 'OutOfSync' });
    await play.sync();
    await eventually(async () => {
      const left = (await play.results()).find(({ name }) => name === 'b');
      expect(left).toMatchObject({ status: 'PruneSkipped' });
    }, 30_000);
    expect(await play.get('ConfigMap', 'b')).toBeDefined();
  }),
  scenario('a sync with prune deletes', async (play) => {
    await without(play, manual);
    await play.reaches({ sync: 'OutOfSync' });
    await play.sync({ prune: true });
    await play.gone('ConfigMap', 'b');
    await play.synced();
    expect((await play.results()).find(({ name }) => name === 'b')).toMatchObject({ status: 'Pruned' });
  }),
  scenario('Prune=false keeps an object', async (play) => {
    await without(play, manual, configMap('b', '1', options('Prune=false')));
    await play.reaches({ sync: 'OutOfSync' });
    await play.sync({ prune: true });
    await play.reaches({ phase: 'Succeeded' });
    expect(await play.get('ConfigMap', 'b')).toBeDefined();
  }),
  scenario('Prune=confirm waits for an approval', async (play) => {
    await without(play, manual, configMap('b', '1', options('Prune=confirm')));
    await play.reaches({ sync: 'OutOfSync' });
    await play.sync({ prune: true });
    await play.reaches({ phase: 'Running', message: /waiting for pruning confirmation/ });
    expect(await play.get('ConfigMap', 'b')).toBeDefined();
    await play.edit(approve());
    await play.gone('ConfigMap', 'b');
    await play.synced();
  }),
  scenario(
    'PruneLimit holds back a sync that would delete too much, until it is approved',
    async (play) => {
      const limited = { ...auto, syncOptions: [...auto.syncOptions, 'PruneLimit=30%'] };
      const all = ['a', 'b', 'c', 'd'].map((name) => configMap(name));
      await play.play(all, { syncPolicy: limited });
      await play.synced();
      await play.push({ 'all.yaml': manifests(configMap('a'), configMap('b'), configMap('c')) });
      await play.gone('ConfigMap', 'd');
      await play.synced();
      await play.push({ 'all.yaml': manifests(configMap('a')) });
      await play.reaches({ phase: 'Running', message: /2 of 3 would go; PruneLimit=30%/ });
      expect(await play.get('ConfigMap', 'b')).toBeDefined();
      await play.edit(approve());
      await play.gone('ConfigMap', 'b');
      await play.synced();
    },
    'our engine',
  ),
  scenario('PruneLast deletes after everything is applied', async (play) => {
    await without(play, { syncOptions: ['CreateNamespace=true', 'PruneLast=true'] });
    await play.reaches({ sync: 'OutOfSync' });
    await play.sync({ prune: true });
    await play.gone('ConfigMap', 'b');
    await play.synced();
    expect((await play.results()).at(-1)).toMatchObject({ name: 'b', status: 'Pruned' });
  }),
  scenario('objects that are not tracked are never deleted', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    await play.stage.client.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'foreign', namespace: play.id },
    });
    const commit = await play.push({ 'all.yaml': manifests(configMap('a', '2')) });
    await play.syncedTo(commit);
    expect(await play.get('ConfigMap', 'foreign')).toBeDefined();
  }),
  scenario('a tracking id that was copied to another object means nothing', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    const id = (await play.get('ConfigMap', 'a'))?.metadata.annotations?.['argocd.argoproj.io/tracking-id'] ?? '';
    await play.stage.client.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'copy', namespace: play.id, annotations: { 'argocd.argoproj.io/tracking-id': id } },
    });
    const commit = await play.push({ 'all.yaml': manifests(configMap('a', '2')) });
    await play.syncedTo(commit);
    expect(await play.get('ConfigMap', 'copy')).toBeDefined();
  }),
  scenario('IgnoreExtraneous leaves the application Synced', async (play) => {
    const annotations = { 'argocd.argoproj.io/compare-options': 'IgnoreExtraneous' };
    await without(play, manual, configMap('b', '1', { annotations }));
    await eventually(async () => {
      const { status } = await play.app();
      expect(status?.sync?.status).toBe('Synced');
      expect(status?.resources?.find(({ name }) => name === 'b')).toMatchObject({ requiresPruning: true });
    }, 30_000);
  }),
  scenario('an empty source deletes nothing without allowEmpty', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    await play.push({ 'all.yaml': '' });
    await play.condition('SyncError', /wipe out all resources/);
    expect(await play.get('ConfigMap', 'a')).toBeDefined();
  }),
  scenario('an empty source deletes everything with allowEmpty', async (play) => {
    const automated = { prune: true, allowEmpty: true };
    await play.play([configMap('a')], { syncPolicy: { ...auto, automated } });
    await play.synced();
    await play.push({ 'all.yaml': '' });
    await play.gone('ConfigMap', 'a');
  }),
  scenario('a source that cannot be rendered deletes nothing', async (play) => {
    await play.play([configMap('a'), configMap('b')], { syncPolicy: auto });
    await play.synced();
    await play.push({ 'all.yaml': null, 'Chart.yaml': 'not: [a chart' });
    await play.condition('ComparisonError', /Chart\.yaml|helm chart/);
    expect(await play.get('ConfigMap', 'a')).toBeDefined();
    expect(await play.get('ConfigMap', 'b')).toBeDefined();
  }),
];
