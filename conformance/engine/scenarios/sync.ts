// Syncs that people ask for, and their options.
import { operationsAnnotation, readOperationJournal } from '@fairlead/contracts';
import { type KubeObject, listAt, stringAt, valueAt } from '@fairlead/kube';
import { expect } from 'vitest';
import { eventually } from '../world.ts';
import { balancer, configMap, crd, custom, deployment, manifests, options, refTo, secret } from './objects.ts';
import { auto, manual, type Play, type Scenario, scenario } from './play.ts';

const withOptions = (...syncOptions: string[]) => ({
  syncPolicy: { syncOptions: ['CreateNamespace=true', ...syncOptions] },
});

async function outOfSync(play: Play): Promise<void> {
  await play.reaches({ sync: 'OutOfSync' });
}

export const syncScenarios: readonly Scenario[] = [
  scenario('nothing is deployed before somebody asks', async (play) => {
    await play.play([configMap('a')]);
    await play.reaches({ sync: 'OutOfSync', health: 'Missing' });
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
    expect((await play.app()).status?.operationState).toBeUndefined();
  }),
  scenario('a sync through the API deploys and writes history', async (play) => {
    await play.play([configMap('a')]);
    await outOfSync(play);
    await play.sync();
    const { status } = await play.synced();
    expect(status?.history).toMatchObject([{ id: 0, revision: status?.sync?.revision }]);
    expect(await play.keyOf('a')).toBe('1');
  }),
  scenario('the life of an Application is told by Kubernetes Events, with who asked for what', async (play) => {
    await play.play([configMap('a')]);
    await outOfSync(play);
    await play.sync();
    const { status } = await play.synced();
    const told = async () => {
      const query = { apiVersion: 'v1', kind: 'Event', namespace: play.stage.engineNamespace };
      const { items } = await play.stage.client.list(query);
      const own = items.filter((event) => stringAt(event, 'involvedObject', 'name') === play.id);
      return own.map((event) => `${event['type']} ${event['reason']}: ${event['message']}`);
    };
    await eventually(async () => {
      const lines = await told();
      expect(lines).toContain(`Normal OperationCompleted: Sync operation to ${status?.sync?.revision} succeeded`);
      expect(lines).toContain('Normal ResourceUpdated: Updated sync status: OutOfSync -> Synced');
      expect(lines.filter((line) => /^Normal OperationStarted: \S+ initiated sync to /.test(line))).toHaveLength(1);
    }, play.stage.patienceMs);
  }),
  scenario(
    'every operation that ended is remembered, also one that failed, until the whole Application is replaced',
    async (play) => {
      const bad = { ...configMap('a'), data: { key: { not: 'text' } } };
      await play.play([bad]);
      await outOfSync(play);
      await play.sync();
      await play.reaches({ phase: 'Failed' });
      await play.push({ 'all.yaml': manifests(configMap('a')) });
      await play.sync();
      const { metadata, status } = await play.synced();
      const { startedAt, finishedAt } = status?.operationState ?? {};
      const journal = readOperationJournal(metadata.annotations);
      expect(journal.map(({ phase }) => phase)).toEqual(['Failed', 'Succeeded']);
      expect(journal[0]?.message).toMatch(/completed unsuccessfully/);
      expect(journal[1]).toMatchObject({ startedAt, finishedAt, revision: status?.sync?.revision });
      await eventually(async () => {
        const { metadata: all, ...application } = await play.app();
        const { [operationsAnnotation]: _emptied, ...annotations } = all.annotations ?? {};
        await play.stage.client.update({ ...application, metadata: { ...all, annotations } } as KubeObject); // as it was read
      }, play.stage.patienceMs);
      await play.sync();
      await eventually(async () => {
        const after = readOperationJournal((await play.app()).metadata.annotations);
        expect(after.map(({ phase }) => phase)).toEqual(['Succeeded']);
      }, play.stage.patienceMs);
    },
    'our engine',
  ),
  scenario('a sync by the operation field deploys, and the field is taken', async (play) => {
    await play.play([configMap('a')]);
    await outOfSync(play);
    const sync = { syncOptions: ['CreateNamespace=true'] };
    await play.edit({ operation: { sync, initiatedBy: { username: 'ada' } } });
    const app = await play.synced();
    expect(app.operation).toBeUndefined();
    expect(app.status?.operationState?.operation.initiatedBy).toMatchObject({ username: 'ada' });
  }),
  scenario('an operation has the options it names, not those of the policy', async (play) => {
    await play.play([configMap('a')]);
    await outOfSync(play);
    await play.edit({ operation: { sync: {} } });
    await play.reaches({ phase: 'Failed', sync: 'OutOfSync', message: /not found/ });
  }),
  scenario('a dry run changes nothing and writes no history', async (play) => {
    await play.play([configMap('a')]);
    await outOfSync(play);
    await play.sync({ dryRun: true });
    const { status } = await play.reaches({ phase: 'Succeeded', sync: 'OutOfSync' });
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
    expect(status?.history ?? []).toEqual([]);
  }),
  scenario('a selective sync applies what was selected', async (play) => {
    await play.play([configMap('a'), configMap('b')], { syncPolicy: auto });
    await play.synced();
    await play.edit({ spec: { syncPolicy: { automated: null } } });
    await play.push({ 'all.yaml': manifests(configMap('a', '2'), configMap('b', '2')) });
    await outOfSync(play);
    await play.sync({ resources: [{ kind: 'ConfigMap', name: 'a' }] });
    await play.sees('ConfigMap', 'a', ['data', 'key'], '2');
    await play.reaches({ phase: 'Succeeded', sync: 'OutOfSync' });
    expect(await play.keyOf('b')).toBe('1');
    expect((await play.app()).status?.history).toHaveLength(1);
  }),
  scenario('without CreateNamespace a missing namespace is told', async (play) => {
    await play.play([configMap('a')], { syncPolicy: {} });
    await outOfSync(play);
    await play.sync();
    await play.reaches({ phase: 'Failed' });
    const [result] = await play.results();
    expect(result).toMatchObject({ name: 'a', status: 'SyncFailed' });
    expect(result?.message).toMatch(/not found/);
  }),
  scenario('CreateNamespace makes the namespace first', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    expect(await play.get('Namespace', play.id, '')).toBeDefined();
  }),
  scenario('a sync goes to the revision it was asked for', async (play) => {
    await play.play([configMap('a', 'old')]);
    const old = (await play.reaches({ sync: 'OutOfSync' })).status?.sync?.revision;
    await play.push({ 'all.yaml': manifests(configMap('a', 'new')) });
    await play.sync({ revision: old });
    await play.sees('ConfigMap', 'a', ['data', 'key'], 'old');
    const { status } = await play.reaches({ phase: 'Succeeded', sync: 'OutOfSync' });
    expect(status?.operationState?.syncResult?.revision).toBe(old);
  }),
  scenario('a rollback brings an earlier state back', async (play) => {
    await play.play([configMap('a', 'first')]);
    await outOfSync(play);
    await play.sync();
    await play.synced();
    const next = await play.push({ 'all.yaml': manifests(configMap('a', 'second')) });
    await play.sync();
    await play.syncedTo(next);
    const answer = await play.stage.api(`/api/v1/applications/${play.id}/rollback`, {
      method: 'POST',
      body: JSON.stringify({ id: 0 }),
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await play.sees('ConfigMap', 'a', ['data', 'key'], 'first');
  }),
  scenario('a second operation is refused while one runs', async (play) => {
    await play.play([balancer('slow', { annotations: { 'argocd.argoproj.io/sync-wave': '-1' } }), configMap('a')]);
    await outOfSync(play);
    await play.sync();
    await play.reaches({ phase: 'Running', message: /waiting for healthy state of \/Service\/slow/ });
    const path = `/api/v1/applications/${play.id}/sync`;
    const answer = await play.stage.api(path, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 9 });
    await play.giveAddress('slow');
    await play.synced();
  }),
  scenario('an operation can be ended', async (play) => {
    await play.play([balancer('slow', { annotations: { 'argocd.argoproj.io/sync-wave': '-1' } }), configMap('a')]);
    await outOfSync(play);
    await play.sync();
    await play.reaches({ phase: 'Running', message: /waiting for/ });
    await play.stage.api(`/api/v1/applications/${play.id}/operation`, { method: 'DELETE' });
    await play.reaches({ phase: 'Failed', message: 'Operation terminated' });
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('ServerSideApply owns its fields as argocd-controller', async (play) => {
    await play.play([configMap('a')], withOptions('ServerSideApply=true'));
    await outOfSync(play);
    await play.sync();
    await play.synced();
    const live = await play.get('ConfigMap', 'a');
    const managers = listAt(live, 'metadata', 'managedFields');
    expect(managers).toContainEqual(expect.objectContaining({ manager: 'argocd-controller', operation: 'Apply' }));
  }),
  scenario('ServerSideApply for one resource by annotation', async (play) => {
    await play.play([configMap('a', '1', options('ServerSideApply=true')), configMap('b')]);
    await outOfSync(play);
    await play.sync();
    await play.synced();
    const operations = async (name: string) =>
      listAt(await play.get('ConfigMap', name), 'metadata', 'managedFields').map((entry) =>
        stringAt(entry, 'operation'),
      );
    expect(await operations('a')).toContain('Apply');
    expect(await operations('b')).not.toContain('Apply');
  }),
  scenario('Replace removes what others added', async (play) => {
    await play.play([configMap('a')], withOptions('Replace=true'));
    await outOfSync(play);
    await play.sync();
    await play.synced();
    await play.patch('ConfigMap', 'a', { data: { stranger: 'x', key: 'changed' } });
    await outOfSync(play);
    await play.sync();
    await play.sees('ConfigMap', 'a', ['data'], { key: '1' });
  }),
  scenario('what cannot be changed in place fails, and is made anew with Force', async (play) => {
    const fixed = (value: string, more = {}) => ({ ...configMap('a', value, more), immutable: true });
    await play.play([fixed('1')]);
    await outOfSync(play);
    await play.sync();
    await play.synced();
    const before = await play.get('ConfigMap', 'a');
    await play.push({ 'all.yaml': manifests(fixed('2')) });
    await outOfSync(play);
    await play.sync();
    await play.reaches({ phase: 'Failed' });
    await play.push({ 'all.yaml': manifests(fixed('2', options('Force=true,Replace=true'))) });
    await play.sync();
    await play.sees('ConfigMap', 'a', ['data', 'key'], '2');
    expect((await play.get('ConfigMap', 'a'))?.metadata.uid).not.toBe(before?.metadata.uid);
  }),
  scenario('ApplyOutOfSyncOnly leaves the rest alone', async (play) => {
    await play.play([configMap('a'), configMap('b')], withOptions('ApplyOutOfSyncOnly=true'));
    await outOfSync(play);
    await play.sync();
    await play.synced();
    const commit = await play.push({ 'all.yaml': manifests(configMap('a', '2'), configMap('b')) });
    await outOfSync(play);
    await play.sync();
    await play.syncedTo(commit);
    expect((await play.results()).map(({ name }) => name)).toEqual(['a']);
  }),
  scenario('a kind that the cluster does not know stops the sync before it begins', async (play) => {
    await play.play([custom('nowhere.example.com', 'Ghost', 'g'), configMap('a')]);
    await outOfSync(play);
    await play.sync();
    await play.reaches({ phase: 'Failed', message: /not valid/ });
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
    const ghost = (await play.results()).find(({ kind }) => kind === 'Ghost');
    expect(ghost?.message).toContain('could not find nowhere.example.com/Ghost');
  }),
  scenario(
    'an object whose name is to be made up, and that is no hook, stops the sync before it begins',
    async (play) => {
      const nameless = { ...configMap('x'), metadata: { generateName: 'made-up-' } };
      await play.play([nameless, configMap('a')]);
      await outOfSync(play);
      await play.sync();
      await play.reaches({ phase: 'Failed', message: /failed to apply/ });
      expect(await play.get('ConfigMap', 'a')).toBeUndefined();
      const refused = (await play.results()).find(({ message = '' }) => message.includes('generate name'));
      expect(refused?.message).toContain('from made-up-: cannot use generate name with apply');
    },
  ),
  scenario('a definition and its resource come up in one sync', async (play) => {
    await play.play([custom('one.example.com', 'Widget', 'w'), crd('one.example.com', 'Widget')], { syncPolicy: auto });
    await play.synced();
    const ref = { group: 'one.example.com', version: 'v1', kind: 'Widget', namespace: play.id, name: 'w' };
    expect(await play.find(ref)).toBeDefined();
  }),
  scenario('an object keeps the namespace that it names', async (play) => {
    const other = `${play.id}-other`;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } };
    await play.play([namespace, configMap('a', '1', { namespace: other })], { syncPolicy: auto });
    await play.synced();
    expect(await play.get('ConfigMap', 'a', other)).toBeDefined();
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('history keeps as many entries as the limit says', async (play) => {
    await play.play([configMap('a', '0')], { revisionHistoryLimit: 2, syncPolicy: auto });
    await play.synced();
    for (const value of ['1', '2', '3']) {
      await play.syncedTo(await play.push({ 'all.yaml': manifests(configMap('a', value)) }));
    }
    expect((await play.app()).status?.history?.map(({ id }) => id)).toEqual([2, 3]);
  }),
  scenario('a failed sync is tried again as often as the policy says', async (play) => {
    const retry = { limit: 2, backoff: { duration: '100ms', factor: 1, maxDuration: '1s' } };
    const bad = { ...configMap('a'), data: { key: { not: 'text' } } };
    await play.play([bad], { syncPolicy: { automated: {}, retry, syncOptions: ['CreateNamespace=true'] } });
    const { status } = await play.reaches({ phase: 'Failed', message: /retried 2 times/ });
    expect(status?.operationState?.retryCount).toBe(2);
    await play.condition('SyncError', /Failed last sync attempt/);
  }),
  scenario('one refused object does not keep the others of its step away', async (play) => {
    await play.play([{ ...configMap('bad'), data: { key: { not: 'text' } } }, configMap('good')]);
    await outOfSync(play);
    await play.sync();
    await play.reaches({ phase: 'Failed' });
    expect(await play.keyOf('good')).toBe('1');
    const bad = (await play.results()).find(({ name }) => name === 'bad');
    expect(bad).toMatchObject({ status: 'SyncFailed' });
  }),
  scenario('lists and several documents in a file are single resources', async (play) => {
    const list = { apiVersion: 'v1', kind: 'List', items: [configMap('a'), configMap('b')] };
    await play.play([list, configMap('c')], { syncPolicy: auto });
    const { status } = await play.synced();
    expect(status?.resources?.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  }),
  scenario('a folder is read deeply only when asked, without what is excluded', async (play) => {
    await play.push({
      'top.yaml': manifests(configMap('top')),
      'deep/in.yaml': manifests(configMap('deep')),
      'deep/not.yaml': manifests(configMap('not')),
    });
    await play.deploy({ syncPolicy: auto });
    await play.synced();
    expect(await play.get('ConfigMap', 'deep')).toBeUndefined();
    const source = play.source({ directory: { recurse: true, exclude: '**/not.yaml' } });
    await play.edit({ spec: { source } });
    await play.sees('ConfigMap', 'deep');
    await play.synced();
    expect(await play.get('ConfigMap', 'not')).toBeUndefined();
  }),
  scenario('a Secret written as text is Synced', async (play) => {
    await play.play([secret('s', 'hush')], { syncPolicy: auto });
    await play.synced();
    const live = await play.get('Secret', 's');
    expect(stringAt(live, 'data', 'key')).toBe(Buffer.from('hush').toString('base64'));
  }),
  scenario('two sources make one application', async (play) => {
    await play.push({ 'one/a.yaml': manifests(configMap('a')), 'two/b.yaml': manifests(configMap('b')) });
    const part = (path: string) => play.source({ path: `${play.id}/${path}` });
    await play.deploy({ source: undefined, sources: [part('one'), part('two')], syncPolicy: auto });
    const { status } = await play.synced();
    expect(status?.resources?.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(listAt(status?.sync, 'revisions')).toHaveLength(2);
  }),
  scenario('what the source holds twice is told; the last one counts', async (play) => {
    await play.play([configMap('a', 'first'), configMap('a', 'second')], { syncPolicy: auto });
    await play.synced();
    expect(await play.keyOf('a')).toBe('second');
    await play.condition('RepeatedResourceWarning', /appeared 2 times/);
  }),
  scenario('FailOnSharedResource refuses what another application holds', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    await play.make({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: `${play.id}-2` },
      spec: {
        project: 'default',
        source: play.source(),
        destination: { server: 'https://kubernetes.default.svc', namespace: play.id },
        syncPolicy: { automated: {}, syncOptions: ['FailOnSharedResource=true'], retry: { limit: 0 } },
      },
    });
    await play.reaches({ phase: 'Failed', message: /Shared resource found/ }, `${play.id}-2`);
    const owner = (await play.get('ConfigMap', 'a'))?.metadata.annotations?.['argocd.argoproj.io/tracking-id'];
    expect(owner).toMatch(`${play.id}:/ConfigMap`);
  }),
  scenario('changing where an application deploys to deploys there', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    await play.edit({ spec: { destination: { namespace: `${play.id}-next` } } });
    await eventually(async () => expect(await play.get('ConfigMap', 'a', `${play.id}-next`)).toBeDefined(), 30_000);
    await play.gone('ConfigMap', 'a');
  }),
  scenario('an Application that is deleted without finalizer leaves everything', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    await play.stage.client.delete(refTo('Application', play.id, play.stage.engineNamespace));
    await play.gone('Application', play.id, play.stage.engineNamespace);
    expect(await play.get('ConfigMap', 'a')).toBeDefined();
  }),
  scenario('an Application that is deleted with finalizer takes everything along', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto }, { finalizers: ['resources-finalizer.argocd.argoproj.io'] });
    await play.synced();
    await play.stage.client.delete(refTo('Application', play.id, play.stage.engineNamespace));
    await play.gone('ConfigMap', 'a');
    await play.gone('Application', play.id, play.stage.engineNamespace);
  }),
  scenario('Delete=false stays when the application goes', async (play) => {
    const objects = [configMap('kept', '1', options('Delete=false')), configMap('a')];
    await play.play(objects, { syncPolicy: auto }, { finalizers: ['resources-finalizer.argocd.argoproj.io'] });
    await play.synced();
    await play.stage.client.delete(refTo('Application', play.id, play.stage.engineNamespace));
    await play.gone('Application', play.id, play.stage.engineNamespace);
    expect(await play.get('ConfigMap', 'kept')).toBeDefined();
    expect(await play.get('ConfigMap', 'a')).toBeUndefined();
  }),
  scenario('a namespace gets the labels that managedNamespaceMetadata asks for', async (play) => {
    const managedNamespaceMetadata = { labels: { team: 'shop' } };
    await play.play([configMap('a')], { syncPolicy: { ...auto, managedNamespaceMetadata } });
    await play.synced();
    expect(valueAt(await play.get('Namespace', play.id, ''), 'metadata', 'labels', 'team')).toBe('shop');
  }),
  scenario(
    'a new image rolls out',
    async (play) => {
      await play.play([deployment('web')], { syncPolicy: auto });
      await play.reaches({ sync: 'Synced', health: 'Healthy' });
      const template = {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/web:2' }] },
      };
      const commit = await play.push({ 'all.yaml': manifests(deployment('web', { template })) });
      await play.syncedTo(commit);
      await eventually(async () => {
        expect((await play.app()).status?.summary?.images).toEqual(['registry.example.com/web:2']);
      }, 30_000);
      await play.reaches({ health: 'Healthy' });
    },
    'pods',
  ),
  scenario('broken YAML is told with file and line, and nothing is touched', async (play) => {
    await play.play([configMap('a')], { syncPolicy: auto });
    await play.synced();
    await play.push({ 'broken.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [\n' });
    await play.condition('ComparisonError', /broken\.yaml/);
    expect(await play.keyOf('a')).toBe('1');
    await play.push({ 'broken.yaml': null });
    await play.synced();
  }),
  scenario('a path that does not exist is told', async (play) => {
    await play.play([configMap('a')], { source: play.source({ path: `${play.id}/nowhere` }), syncPolicy: manual });
    await play.condition('ComparisonError', /nowhere/);
    await play.reaches({ sync: 'Unknown' });
  }),
  scenario('a revision that does not exist is told', async (play) => {
    await play.play([configMap('a')], { source: play.source({ targetRevision: 'no-such-branch' }) });
    await play.condition('ComparisonError', /no-such-branch/);
  }),
];
