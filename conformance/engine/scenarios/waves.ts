// The order of a sync.
import { expect } from 'vitest';
import { balancer, configMap, crd, custom, manifests, namespaceOf, refTo, wave } from './objects.ts';
import { auto, type Play, type Scenario, scenario } from './play.ts';

const once = { ...auto, retry: { limit: 0 } };
const order = async (play: Play) => (await play.results()).map(({ name }) => name);

export const waveScenarios: readonly Scenario[] = [
  scenario('a wave waits for the health of the one before', async (play) => {
    await play.play([balancer('first', wave(1)), configMap('second', '1', wave(2))], { syncPolicy: once });
    await play.reaches({ phase: 'Running', message: /healthy state of \/Service\/first/ });
    expect(await play.get('ConfigMap', 'second')).toBeUndefined();
    await play.giveAddress('first');
    await play.synced();
    expect(await play.get('ConfigMap', 'second')).toBeDefined();
  }),
  scenario('negative waves come first', async (play) => {
    await play.play([configMap('zero'), configMap('minus', '1', wave(-5)), configMap('plus', '1', wave(3))], {
      syncPolicy: once,
    });
    await play.synced();
    expect(await order(play)).toEqual([play.id, 'minus', 'zero', 'plus']);
  }),
  scenario('inside a wave kinds have their order', async (play) => {
    await play.play([balancer('s'), configMap('b'), configMap('a')], { syncPolicy: once });
    await play.sees('Service', 's');
    await play.giveAddress('s');
    await play.synced();
    const [namespace, ...rest] = await order(play);
    expect([namespace, rest.slice(0, 2).sort(), rest[2]]).toEqual([play.id, ['a', 'b'], 's']);
  }),
  scenario('the last wave is not waited for', async (play) => {
    await play.play([configMap('a'), balancer('last', wave(1))], { syncPolicy: once });
    await play.reaches({ phase: 'Succeeded', health: 'Progressing' });
  }),
  scenario('a namespace of the source comes before what is in it, whatever its wave', async (play) => {
    const other = `${play.id}-own`;
    await play.play([configMap('a', '1', { namespace: other }), namespaceOf(other, wave(9))], { syncPolicy: once });
    await play.synced();
    expect(await play.get('ConfigMap', 'a', other)).toBeDefined();
  }),
  scenario('a definition comes before its resources, whatever its wave', async (play) => {
    await play.play([custom('waves.example.com', 'Buoy', 'b'), crd('waves.example.com', 'Buoy', wave(9))], {
      syncPolicy: once,
    });
    await play.synced();
  }),
  scenario('a failure keeps later waves away', async (play) => {
    const bad = { ...configMap('bad', '1', wave(1)), data: { key: { not: 'text' } } };
    await play.play([bad, configMap('late', '1', wave(2))], { syncPolicy: once });
    await play.reaches({ phase: 'Failed' });
    expect(await play.get('ConfigMap', 'late')).toBeUndefined();
  }),
  scenario('a weight of Helm counts as wave', async (play) => {
    const weighted = configMap('heavy', '1', { annotations: { 'helm.sh/hook-weight': '5' } });
    await play.play([weighted, configMap('light')], { syncPolicy: once });
    await play.synced();
    expect(await order(play)).toEqual([play.id, 'light', 'heavy']);
  }),
  scenario('prunes go in the opposite order', async (play) => {
    const finalizers = ['example.com/hold'];
    await play.play([configMap('first', '1', wave(1)), configMap('last', '1', wave(2)), configMap('keep')], {
      syncPolicy: once,
    });
    await play.synced();
    await play.patch('ConfigMap', 'last', { metadata: { finalizers } });
    await play.push({ 'all.yaml': manifests(configMap('keep')) });
    await play.reaches({ phase: 'Running' });
    await play.sees('ConfigMap', 'first');
    expect((await play.get('ConfigMap', 'first'))?.metadata.deletionTimestamp).toBeUndefined();
    await play.patch('ConfigMap', 'last', { metadata: { finalizers: null } });
    await play.gone('ConfigMap', 'first');
    await play.synced();
  }),
  scenario('waves show in the status', async (play) => {
    await play.play([configMap('a', '1', wave(7))], { syncPolicy: once });
    await play.synced();
    expect(await play.resource('ConfigMap', 'a')).toMatchObject({ syncWave: 7 });
  }),
  scenario('a sync that was waiting goes on after the object it waits for was deleted and healed', async (play) => {
    await play.play([balancer('first', wave(1)), configMap('second', '1', wave(2))], { syncPolicy: once });
    await play.reaches({ phase: 'Running', message: /first/ });
    await play.stage.client.delete(refTo('Service', 'first', play.id));
    await play.stage.api(`/api/v1/applications/${play.id}/operation`, { method: 'DELETE' });
    await play.reaches({ phase: 'Failed' });
    await play.sync();
    await play.sees('Service', 'first');
    await play.giveAddress('first');
    await play.synced();
  }),
];
