// What a project allows.
import { expect } from 'vitest';
import { eventually } from '../world.ts';
import { configMap, manifests, namespaceOf } from './objects.ts';
import { auto, type Play, type Scenario, scenario } from './play.ts';

const everything = {
  sourceRepos: ['*'],
  destinations: [{ server: '*', namespace: '*' }],
  clusterResourceWhitelist: [{ group: '*', kind: '*' }],
};
const once = { ...auto, retry: { limit: 0 } };

/** An application in a project of its own. */
async function within(play: Play, limits: object, objects = [configMap('a')], spec: object = {}): Promise<void> {
  await play.make({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: play.id },
    spec: { ...everything, ...limits },
  });
  await play.play(objects, { project: play.id, syncPolicy: once, ...spec });
}

const window = (kind: string, more: object = {}) => ({
  syncWindows: [{ kind, schedule: '* * * * *', duration: '2h', applications: ['*'], ...more }],
});
/** Half a year away from now. */
const farOff = () => `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`;

export const projectScenarios: readonly Scenario[] = [
  scenario('a project that allows everything is no hindrance', async (play) => {
    await within(play, {});
    await play.synced();
  }),
  scenario('a project that is not there is told', async (play) => {
    await play.play([configMap('a')], { project: 'no-such-project', syncPolicy: once });
    await play.condition('InvalidSpecError', /no-such-project/);
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('another repository is refused', async (play) => {
    await within(play, { sourceRepos: ['https://git.example.com/*'] });
    await play.condition('InvalidSpecError', /is not permitted in project/);
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('a repository is refused by a deny rule', async (play) => {
    await within(play, { sourceRepos: ['*', `!${play.repo.url}`] });
    await play.condition('InvalidSpecError', /is not permitted in project/);
  }),
  scenario('another destination is refused', async (play) => {
    await within(play, { destinations: [{ server: '*', namespace: 'elsewhere' }] });
    await play.condition('InvalidSpecError', /do not match any of the allowed destinations/);
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('a destination is refused by a deny rule', async (play) => {
    const destinations = [
      { server: '*', namespace: '*' },
      { server: '*', namespace: `!${play.id}` },
    ];
    await within(play, { destinations });
    await play.condition('InvalidSpecError', /do not match any of the allowed destinations/);
  }),
  scenario('destinations match by pattern', async (play) => {
    await within(play, { destinations: [{ server: '*', namespace: `${play.id.slice(0, -2)}*` }] });
    await play.synced();
  }),
  scenario('a kind on the deny list is refused', async (play) => {
    await within(play, { namespaceResourceBlacklist: [{ group: '', kind: 'ConfigMap' }] });
    await play.reaches({ phase: 'Failed', message: /is not permitted in project/ });
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('a kind that is not on the allow list is refused', async (play) => {
    await within(play, { namespaceResourceWhitelist: [{ group: 'apps', kind: 'Deployment' }] });
    await play.reaches({ phase: 'Failed', message: /is not permitted in project/ });
  }),
  scenario('cluster-wide kinds need to be allowed', async (play) => {
    await within(play, { clusterResourceWhitelist: [] }, [namespaceOf(`${play.id}-x`)]);
    await play.reaches({ phase: 'Failed', message: /is not permitted in project/ });
    expect(await play.get('Namespace', `${play.id}-x`, '')).toBeUndefined();
  }),
  scenario('a deny window holds automated syncs back', async (play) => {
    await within(play, window('deny'));
    await play.reaches({ sync: 'OutOfSync' });
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('a deny window holds manual syncs back too, until it is gone', async (play) => {
    await within(play, window('deny'), [configMap('a')], { syncPolicy: { syncOptions: ['CreateNamespace=true'] } });
    await play.reaches({ sync: 'OutOfSync' });
    await play.edit({ operation: { sync: { syncOptions: ['CreateNamespace=true'] } } });
    await play.reaches({ phase: 'Running', message: /blocked by sync window/ });
    const ref = { group: 'argoproj.io', version: 'v1alpha1', kind: 'AppProject', name: play.id };
    const namespace = play.stage.engineNamespace;
    await play.stage.client.patch({ ...ref, namespace }, { spec: { syncWindows: null } }, { type: 'merge' });
    await play.synced();
  }),
  scenario('a deny window with manualSync lets people sync', async (play) => {
    await within(play, window('deny', { manualSync: true }));
    await play.reaches({ sync: 'OutOfSync' });
    await play.sync();
    await play.synced();
  }),
  scenario('outside of an allow window nothing is synced by itself', async (play) => {
    await within(play, window('allow', { schedule: farOff(), duration: '1h' }));
    await play.reaches({ sync: 'OutOfSync' });
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('a window for other applications does not count', async (play) => {
    await within(play, window('deny', { applications: ['other-*'] }));
    await play.synced();
  }),
  scenario(
    'a project that changes is looked at again',
    async (play) => {
      await within(play, { sourceRepos: [] });
      await play.condition('InvalidSpecError', /is not permitted in project/);
      const ref = { group: 'argoproj.io', version: 'v1alpha1', kind: 'AppProject', name: play.id };
      const body = { spec: { sourceRepos: ['*'] } };
      await play.stage.client.patch({ ...ref, namespace: play.stage.engineNamespace }, body, { type: 'merge' });
      await play.synced();
      expect((await play.app()).status?.conditions ?? []).toEqual([]);
    },
    'our engine',
  ),
  scenario('orphaned resources are told when the project asks', async (play) => {
    await within(play, { orphanedResources: { warn: true, ignore: [{ kind: 'ConfigMap', name: 'quiet*' }] } });
    await play.synced();
    const stranger = (name: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: play.id },
    });
    await play.stage.client.create(stranger('quiet-one'));
    await play.stage.client.create(stranger('stranger'));
    await play.push({ 'all.yaml': manifests(configMap('a', '2')) });
    await play.condition('OrphanedResourceWarning', /has 1 orphaned resource/);
    await eventually(async () => {
      const { body } = await play.stage.api(`/api/v1/applications/${play.id}/resource-tree`);
      expect((body as { orphanedNodes?: { name: string }[] }).orphanedNodes).toMatchObject([{ name: 'stranger' }]);
    }, 30_000);
  }),
];
