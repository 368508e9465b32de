// What somebody changes by hand.
import { valueAt } from '@fairlead/kube';
import { expect } from 'vitest';
import { eventually } from '../world.ts';
import { configMap, deployment, manifests, refTo } from './objects.ts';
import { auto, type Scenario, scenario } from './play.ts';

const noHeal = { ...auto, automated: { prune: true } };

export const selfHealScenarios: readonly Scenario[] = [
  scenario('a changed field is set back', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    await play.patch('ConfigMap', 'a', { data: { key: 'by hand' } });
    await play.sees('ConfigMap', 'a', ['data', 'key'], '1');
    await play.synced();
  }),
  scenario('a deleted object comes back', async (play) => {
    await play.play([configMap('a'), configMap('b')], { syncPolicy: auto });
    await play.synced();
    const before = await play.sees('ConfigMap', 'a');
    await play.stage.client.delete(refTo('ConfigMap', 'a', play.id));
    await eventually(async () => {
      const now = await play.get('ConfigMap', 'a');
      expect(now).toBeDefined();
      expect(now?.metadata.uid).not.toBe(before.metadata.uid);
    }, 30_000);
  }),
  scenario('a removed field is set again', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    await play.patch('ConfigMap', 'a', { data: { key: null } });
    await play.sees('ConfigMap', 'a', ['data', 'key'], '1');
  }),
  scenario('without selfHeal it is told and left', async (play) => {
    await play.play([configMap('a')], { syncPolicy: noHeal });
    await play.synced();
    await play.patch('ConfigMap', 'a', { data: { key: 'by hand' } });
    await play.reaches({ sync: 'OutOfSync' });
    expect(await play.keyOf('a')).toBe('by hand');
  }),
  scenario('without selfHeal a new commit is still deployed', async (play) => {
    await play.play([configMap('a')], { syncPolicy: noHeal });
    await play.synced();
    await play.patch('ConfigMap', 'a', { data: { key: 'by hand' } });
    await play.reaches({ sync: 'OutOfSync' });
    const commit = await play.push({ 'all.yaml': manifests(configMap('a', '2')) });
    await play.syncedTo(commit);
    expect(await play.keyOf('a')).toBe('2');
  }),
  scenario('what others add beside our fields stays', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    await play.patch('ConfigMap', 'a', { metadata: { labels: { theirs: 'x' } }, data: { more: 'y' } });
    await play.refresh();
    await play.synced();
    expect(valueAt(await play.get('ConfigMap', 'a'), 'data')).toEqual({ key: '1', more: 'y' });
  }),
  scenario('healing touches only what differs, counts, and writes no history', async (play) => {
    await play.play([configMap('a'), configMap('b')], { syncPolicy: auto });
    await play.synced();
    await play.patch('ConfigMap', 'b', { data: { key: 'by hand' } });
    await play.sees('ConfigMap', 'b', ['data', 'key'], '1');
    await eventually(async () => {
      const { status } = await play.app();
      const sync = status?.operationState?.operation.sync;
      expect(sync?.resources).toMatchObject([{ kind: 'ConfigMap', name: 'b' }]);
      expect(sync?.autoHealAttemptsCount).toBe(1);
      expect(status?.history).toHaveLength(1);
    }, 30_000);
  }),
  scenario('an ignored field is not healed', async (play) => {
    const ignoreDifferences = [{ kind: 'ConfigMap', jsonPointers: ['/data/key'] }];
    await play.play([configMap('a')], { syncPolicy: auto, ignoreDifferences });
    await play.synced();
    await play.patch('ConfigMap', 'a', { data: { key: 'by hand' } });
    await play.refresh();
    await play.synced();
    expect(await play.keyOf('a')).toBe('by hand');
  }),
  scenario('a scale by hand is taken back', async (play) => {
    await play.play([deployment('web', { replicas: 0 })], { syncPolicy: auto });
    await play.synced();
    await play.patch('Deployment', 'web', { spec: { replicas: 2 } });
    await play.sees('Deployment', 'web', ['spec', 'replicas'], 0);
  }),
  scenario('an automated policy that is off does nothing', async (play) => {
    await play.play([configMap('a')], { syncPolicy: { ...auto, automated: { enabled: false, selfHeal: true } } });
    await play.reaches({ sync: 'OutOfSync' });
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
];
