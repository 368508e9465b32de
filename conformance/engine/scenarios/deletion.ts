// Applications that go, and what runs around that.
import { expect } from 'vitest';
import { eventually } from '../world.ts';
import { balancer, claim, configMap, hook, manifests, refTo } from './objects.ts';
import { auto, type Play, type Scenario, scenario } from './play.ts';

const cascading = { finalizers: ['resources-finalizer.argocd.argoproj.io'] };
const policy = (text: string) => ({ 'argocd.argoproj.io/hook-delete-policy': text });
const before = 'pre-delete-finalizer.argocd.argoproj.io';
const after = 'post-delete-finalizer.argocd.argoproj.io';

const finalizersOf = async (play: Play) => (await play.app()).metadata.finalizers ?? [];
const applicationOf = (play: Play) => refTo('Application', play.id, play.stage.engineNamespace);
const remove = (play: Play) => play.stage.client.delete(applicationOf(play));
const removed = (play: Play) => play.gone('Application', play.id, play.stage.engineNamespace);

export const deletionScenarios: readonly Scenario[] = [
  scenario('PreDelete ends before anything goes', async (play) => {
    await play.play([balancer('bye', hook('PreDelete')), configMap('a')], { syncPolicy: auto }, cascading);
    await play.synced();
    expect(await play.get('Service', 'bye')).toBeUndefined();
    expect(await finalizersOf(play)).toEqual(expect.arrayContaining([before, `${before}/cleanup`]));
    await remove(play);
    await play.sees('Service', 'bye');
    expect(await play.get('ConfigMap', 'a')).toBeDefined();
    await play.giveAddress('bye');
    await removed(play);
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
    await play.gone('Service', 'bye');
  }),
  scenario('PostDelete begins when everything is gone, and ends by its policy', async (play) => {
    const last = balancer('last', hook('PostDelete', policy('HookSucceeded')));
    await play.play([last, configMap('a')], { syncPolicy: auto }, cascading);
    await play.synced();
    await remove(play);
    await play.sees('Service', 'last');
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
    expect((await finalizersOf(play)).sort()).toEqual([after, `${after}/cleanup`]);
    await play.giveAddress('last');
    await removed(play);
    await play.gone('Service', 'last');
  }),
  scenario('a PreDelete hook that fails keeps everything, and runs again when it was deleted', async (play) => {
    await play.play([claim('check', hook('PreDelete')), configMap('a')], { syncPolicy: auto }, cascading);
    await play.synced();
    await remove(play);
    await play.sees('PersistentVolumeClaim', 'check');
    await play.lose('check');
    await play.condition('DeletionError', /PreDelete hook.*check/);
    expect(await play.get('ConfigMap', 'a')).toBeDefined();
    if (!play.stage.isOurEngine) return; // looks again with its next poll only
    const failed = await play.sees('PersistentVolumeClaim', 'check');
    await play.patch('PersistentVolumeClaim', 'check', { metadata: { finalizers: null } });
    await play.stage.client.delete(refTo('PersistentVolumeClaim', 'check', play.id));
    await eventually(async () => {
      const again = await play.get('PersistentVolumeClaim', 'check');
      expect(again?.metadata.uid).toBeDefined();
      expect(again?.metadata.uid).not.toBe(failed.metadata.uid);
    }, play.stage.patienceMs);
  }),
  scenario('the finalizers of hooks go when the source has no such hooks any more', async (play) => {
    await play.play([configMap('last', '1', hook('PostDelete')), configMap('a')], { syncPolicy: auto });
    await play.synced();
    expect(await finalizersOf(play)).toEqual([after, `${after}/cleanup`]);
    await play.push({ 'all.yaml': manifests(configMap('a')) });
    await eventually(async () => expect(await finalizersOf(play)).toEqual([]), play.stage.patienceMs);
  }),
  scenario('what Helm is told to keep stays', async (play) => {
    const kept = configMap('kept', '1', { annotations: { 'helm.sh/resource-policy': 'keep' } });
    await play.play([kept, configMap('a')], { syncPolicy: auto }, cascading);
    await play.synced();
    await remove(play);
    await removed(play);
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
    expect(await play.get('ConfigMap', 'kept')).toBeDefined();
  }),
  scenario(
    'an application that goes in the middle of a hook takes the hook along',
    async (play) => {
      await play.play([balancer('pre', hook('PreSync')), configMap('a')], { syncPolicy: auto }, cascading);
      await play.reaches({ phase: 'Running', message: /completion of hook/ });
      await remove(play);
      await removed(play);
      await play.gone('Service', 'pre');
    },
    'our engine',
  ),
];
