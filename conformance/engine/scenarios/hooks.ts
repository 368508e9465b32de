// What runs around a sync.
import { valueAt } from '@fairlead/kube';
import { expect } from 'vitest';
import { eventually } from '../world.ts';
import { balancer, claim, configMap, hook, job, manifests, refTo } from './objects.ts';
import { auto, type Scenario, scenario } from './play.ts';

const policy = (text: string) => ({ 'argocd.argoproj.io/hook-delete-policy': text });
const once = { ...auto, retry: { limit: 0 } };

export const hookScenarios: readonly Scenario[] = [
  scenario('PreSync ends before the resources begin', async (play) => {
    await play.play([balancer('pre', hook('PreSync')), configMap('a')], { syncPolicy: once });
    await play.reaches({ phase: 'Running', message: /completion of hook \/Service\/pre/ });
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
    await play.giveAddress('pre');
    await play.synced();
    expect(await play.keyOf('a')).toBe('1');
  }),
  scenario('PostSync begins when the resources are healthy', async (play) => {
    await play.play([balancer('slow'), configMap('after', '1', hook('PostSync'))], { syncPolicy: once });
    await play.reaches({ phase: 'Running', message: /healthy state of \/Service\/slow/ });
    expect(await play.get('ConfigMap', 'after')).toBeUndefined();
    await play.giveAddress('slow');
    await play.reaches({ phase: 'Succeeded' });
    expect(await play.get('ConfigMap', 'after')).toBeDefined();
  }),
  scenario('a Sync hook runs with the resources', async (play) => {
    await play.play([configMap('h', '1', hook('Sync')), configMap('a')], { syncPolicy: once });
    await play.synced();
    expect((await play.results()).map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 'h']));
  }),
  scenario('SyncFail hooks run when a hook failed, and the resources do not', async (play) => {
    await play.play([claim('pre', hook('PreSync')), configMap('rescue', '1', hook('SyncFail')), configMap('a')], {
      syncPolicy: once,
    });
    await play.sees('PersistentVolumeClaim', 'pre');
    await play.lose('pre');
    await play.reaches({ phase: 'Failed', message: /completed unsuccessfully/ });
    expect(await play.get('ConfigMap', 'rescue')).toBeDefined();
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('SyncFail hooks stay away from a sync that succeeds', async (play) => {
    await play.play([configMap('rescue', '1', hook('SyncFail')), configMap('a')], { syncPolicy: once });
    await play.synced();
    expect(await play.get('ConfigMap', 'rescue')).toBeUndefined();
  }),
  scenario('PostSync hooks do not run after a failure', async (play) => {
    const bad = { ...configMap('bad'), data: { key: { not: 'text' } } };
    await play.play([bad, configMap('after', '1', hook('PostSync'))], { syncPolicy: once });
    await play.reaches({ phase: 'Failed' });
    expect(await play.get('ConfigMap', 'after')).toBeUndefined();
  }),
  scenario('Skip is neither applied nor missed', async (play) => {
    await play.play([configMap('no', '1', hook('Skip')), configMap('a')], { syncPolicy: once });
    await play.synced();
    expect(await play.get('ConfigMap', 'no')).toBeUndefined();
  }),
  scenario('HookSucceeded deletes at the end', async (play) => {
    await play.play([configMap('pre', '1', hook('PreSync', policy('HookSucceeded'))), configMap('a')], {
      syncPolicy: once,
    });
    await play.synced();
    await play.gone('ConfigMap', 'pre');
  }),
  scenario('HookSucceeded keeps a hook that failed', async (play) => {
    await play.play([claim('pre', hook('PreSync', policy('HookSucceeded'))), configMap('a')], { syncPolicy: once });
    await play.sees('PersistentVolumeClaim', 'pre');
    await play.lose('pre');
    await play.reaches({ phase: 'Failed' });
    expect(await play.get('PersistentVolumeClaim', 'pre')).toBeDefined();
  }),
  scenario('HookFailed deletes a hook that failed', async (play) => {
    await play.play([claim('pre', hook('PreSync', policy('HookFailed'))), configMap('a')], { syncPolicy: once });
    await play.sees('PersistentVolumeClaim', 'pre');
    await play.lose('pre');
    await play.reaches({ phase: 'Failed' });
    await play.gone('PersistentVolumeClaim', 'pre');
  }),
  scenario('BeforeHookCreation makes the hook anew with each sync', async (play) => {
    await play.play([configMap('pre', '1', hook('PreSync', policy('BeforeHookCreation'))), configMap('a')], {
      syncPolicy: once,
    });
    await play.synced();
    const before = await play.sees('ConfigMap', 'pre');
    await play.push({ 'more.yaml': manifests(configMap('b')) });
    await play.sees('ConfigMap', 'b');
    expect((await play.get('ConfigMap', 'pre'))?.metadata.uid).not.toBe(before.metadata.uid);
  }),
  scenario('hooks do not make an application OutOfSync when they are gone', async (play) => {
    await play.play([configMap('pre', '1', hook('PreSync')), configMap('a')], { syncPolicy: once });
    await play.synced();
    await play.stage.client.delete(refTo('ConfigMap', 'pre', play.id));
    await play.refresh();
    await eventually(async () => {
      const app = await play.app();
      expect(app.metadata.annotations?.['argocd.argoproj.io/refresh']).toBeUndefined();
      expect(app.status?.sync?.status).toBe('Synced');
    }, 30_000);
  }),
  scenario('a hook of several phases runs in each', async (play) => {
    await play.play([configMap('both', '1', hook('PreSync,PostSync')), configMap('a')], { syncPolicy: once });
    await play.reaches({ phase: 'Succeeded' });
    const phases = (await play.results()).filter(({ name }) => name === 'both').map((one) => valueAt(one, 'syncPhase'));
    expect(phases).toEqual(['PreSync', 'PostSync']);
  }),
  scenario('a generated name is made of commit, phase and time', async (play) => {
    const { metadata: _named, ...rest } = configMap('x');
    const annotations = { 'argocd.argoproj.io/hook': 'PreSync' };
    await play.play([{ ...rest, metadata: { generateName: 'gen-', annotations } }, configMap('a')], {
      syncPolicy: once,
    });
    const { status } = await play.synced();
    const commit = status?.sync?.revision?.slice(0, 7);
    const { items } = await play.stage.client.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: play.id });
    const made = items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('gen-'));
    for (const name of made) expect(name).toMatch(new RegExp(`^gen-${commit}-presync-\\d+$`));
    expect(made.length).toBeGreaterThan(0);
  }),
  scenario('Helm hooks of plain manifests run as hooks', async (play) => {
    const annotations = { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-delete-policy': 'hook-succeeded' };
    await play.play([configMap('pre', '1', { annotations }), configMap('a')], { syncPolicy: once });
    await play.synced();
    expect((await play.results()).find(({ name }) => name === 'pre')).toMatchObject({ hookType: 'PreSync' });
    await play.gone('ConfigMap', 'pre');
  }),
  scenario('hooks of one phase run wave by wave', async (play) => {
    const waved = (number: string) => hook('PreSync', { 'argocd.argoproj.io/sync-wave': number });
    await play.play([configMap('second', '1', waved('2')), balancer('first', waved('1')), configMap('a')], {
      syncPolicy: once,
    });
    await play.reaches({ phase: 'Running', message: /hook \/Service\/first/ });
    expect(await play.get('ConfigMap', 'second')).toBeUndefined();
    await play.giveAddress('first');
    await play.synced();
    expect(await play.get('ConfigMap', 'second')).toBeDefined();
  }),
  scenario('the strategy apply leaves hooks out', async (play) => {
    await play.play([configMap('pre', '1', hook('PreSync')), configMap('a')]);
    await play.reaches({ sync: 'OutOfSync' });
    await play.sync({ strategy: { apply: {} } });
    await play.synced();
    expect(await play.get('ConfigMap', 'pre')).toBeUndefined();
  }),
  scenario('a selective sync leaves hooks out', async (play) => {
    await play.play([configMap('pre', '1', hook('PreSync')), configMap('a')]);
    await play.stage.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: play.id } });
    await play.reaches({ sync: 'OutOfSync' });
    await play.sync({ resources: [{ kind: 'ConfigMap', name: 'a' }] });
    await play.reaches({ phase: 'Succeeded' });
    expect(await play.get('ConfigMap', 'pre')).toBeUndefined();
  }),
  scenario('ending an operation deletes the hook that runs', async (play) => {
    await play.play([balancer('pre', hook('PreSync')), configMap('a')]);
    await play.reaches({ sync: 'OutOfSync' });
    await play.sync();
    await play.reaches({ phase: 'Running', message: /hook/ });
    await play.stage.api(`/api/v1/applications/${play.id}/operation`, { method: 'DELETE' });
    await play.reaches({ phase: 'Failed', message: 'Operation terminated' });
    await play.gone('Service', 'pre');
  }),
  scenario(
    'a Job is a hook that completes',
    async (play) => {
      await play.play([job('pre', hook('PreSync')), configMap('a')], { syncPolicy: once });
      await play.synced();
      expect((await play.results()).find(({ name }) => name === 'pre')).toMatchObject({ hookPhase: 'Succeeded' });
    },
    'pods',
  ),
];
