// Hooks around a sync, on the embedded cluster. Services of type LoadBalancer are Progressing until somebody gives them
// an address: hooks whose end the test decides.
import type { Application } from '@fairlead/contracts';
import { type KubeObject, valueAt } from '@fairlead/kube';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type Repository, startWorld, type World } from './world.ts';

let world: World;
let repo: Repository;

beforeAll(async () => {
  world = await startWorld();
  repo = await world.repository('demo/hooks');
}, 60_000);
afterAll(() => world.stop());

const annotated = (annotations: Record<string, string>) => JSON.stringify(annotations);
const hookOf = (type: string, more: Record<string, string> = {}) =>
  annotated({ 'argocd.argoproj.io/hook': type, ...more });
const slow = (name: string, annotations: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, annotations: ${annotations}}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n`;
const map = (name: string, annotations = '{}', value = '1') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: ${annotations}}\ndata: {key: "${value}"}\n`;
/** Of a class that nobody serves: it stays pending until the test says otherwise. */
const claim = (name: string, annotations: string) =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: ${name}, annotations: ${annotations}}\nspec: {storageClassName: by-hand, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n`;
const ref = (kind: string, namespace: string, name: string) => ({ group: '', version: 'v1', kind, namespace, name });
const service = (namespace: string, name: string) => ref('Service', namespace, name);
const configMap = (namespace: string, name: string) => ref('ConfigMap', namespace, name);

async function application(name: string, extra: object = {}): Promise<void> {
  await world.application(name, {
    project: 'default',
    source: { repoURL: repo.url, path: name, targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: name },
    syncPolicy: {
      automated: { prune: true, selfHeal: true },
      syncOptions: ['CreateNamespace=true'],
      retry: { limit: 0 },
    },
    ...extra,
  });
}
const stateOf = async (name: string) => (await world.app(name)).status?.operationState;
const resultsOf = async (name: string) =>
  ((await stateOf(name))?.syncResult?.resources ?? []) as { name: string; hookPhase?: string; hookType?: string }[];
const reaches = (name: string, phase: string, message?: string): Promise<Application> =>
  eventually(async () => {
    const app = await world.app(name);
    expect(app.status?.operationState).toMatchObject({ phase, ...(message ? { message } : {}) });
    return app;
  });
const giveAddress = (namespace: string, name: string) =>
  world.client.patch(
    service(namespace, name),
    { status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } },
    { type: 'merge', subresource: 'status' },
  );
const lose = (namespace: string, name: string) =>
  world.client.patch(
    ref('PersistentVolumeClaim', namespace, name),
    { status: { phase: 'Lost' } },
    { type: 'merge', subresource: 'status' },
  );

it('PreSync runs to its end before the resources, PostSync when they are healthy', async () => {
  await repo.push({
    'phases/pre.yaml': slow('pre', hookOf('PreSync')),
    'phases/a.yaml': map('a'),
    'phases/post.yaml': slow('post', hookOf('PostSync')),
  });
  await application('phases');
  await reaches('phases', 'Running', 'waiting for completion of hook /Service/pre');
  expect(await world.get(configMap('phases', 'a'))).toBeUndefined();
  const pre = await world.get(service('phases', 'pre'));
  expect(pre?.metadata.finalizers).toContain('argocd.argoproj.io/hook-finalizer');
  await giveAddress('phases', 'pre');
  await reaches('phases', 'Running', 'waiting for completion of hook /Service/post');
  expect(await world.get(configMap('phases', 'a'))).toBeDefined();
  expect((await world.get(service('phases', 'pre')))?.metadata.finalizers ?? []).toEqual([]);
  await giveAddress('phases', 'post');
  const { status } = await reaches('phases', 'Succeeded', 'successfully synced (no more tasks)');
  expect(status?.sync?.status).toBe('Synced');
  expect(await resultsOf('phases')).toMatchObject([
    { name: 'phases' },
    { name: 'pre', hookType: 'PreSync', hookPhase: 'Succeeded' },
    { name: 'a', hookPhase: 'Succeeded' },
    { name: 'post', hookType: 'PostSync', hookPhase: 'Succeeded' },
  ]);
  expect(status?.resources?.find(({ name }) => name === 'pre')).toMatchObject({ hook: true });
  expect(status?.history).toHaveLength(1);
});

it('a new sync replaces the hooks of the last one, and hooks are never pruned', async () => {
  const before = await world.get(service('phases', 'pre'));
  await repo.push({ 'phases/a.yaml': map('a', '{}', '2'), 'phases/post.yaml': null });
  await eventually(async () => {
    const now = await world.get(service('phases', 'pre'));
    expect(now).toBeDefined();
    expect(now?.metadata.uid).not.toBe(before?.metadata.uid);
  });
  await giveAddress('phases', 'pre');
  await reaches('phases', 'Succeeded');
  await eventually(async () => expect(valueAt(await world.get(configMap('phases', 'a')), 'data', 'key')).toBe('2'));
  expect(await world.get(service('phases', 'post'))).toBeDefined();
});

it('a hook that fails stops the sync and starts the SyncFail hooks', async () => {
  const failed = { 'argocd.argoproj.io/hook-delete-policy': 'HookFailed' };
  await repo.push({
    'failing/pre.yaml': claim('pre', hookOf('PreSync', failed)),
    'failing/rescue.yaml': map('rescue', hookOf('SyncFail')),
    'failing/a.yaml': map('a'),
  });
  await application('failing');
  await reaches('failing', 'Running');
  await eventually(async () => expect(await world.get(ref('PersistentVolumeClaim', 'failing', 'pre'))).toBeDefined());
  await lose('failing', 'pre');
  await reaches('failing', 'Failed', 'one or more synchronization tasks completed unsuccessfully');
  expect(await world.get(configMap('failing', 'rescue'))).toBeDefined();
  expect(await world.get(configMap('failing', 'a'))).toBeUndefined();
  await eventually(async () => expect(await world.get(ref('PersistentVolumeClaim', 'failing', 'pre'))).toBeUndefined());
});

it('HookSucceeded deletes the hook at the end of a sync that succeeded', async () => {
  await repo.push({
    'cleaned/pre.yaml': map('pre', hookOf('PreSync', { 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' })),
    'cleaned/a.yaml': map('a'),
  });
  await application('cleaned');
  await reaches('cleaned', 'Succeeded');
  expect(await world.get(configMap('cleaned', 'a'))).toBeDefined();
  await eventually(async () => expect(await world.get(configMap('cleaned', 'pre'))).toBeUndefined());
  expect(await resultsOf('cleaned')).toMatchObject([{}, { name: 'pre', hookPhase: 'Succeeded' }, { name: 'a' }]);
});

it('Helm hooks run as hooks of Argo CD', async () => {
  await repo.push({
    'helmish/pre.yaml': map(
      'pre',
      annotated({ 'helm.sh/hook': 'pre-install', 'helm.sh/hook-delete-policy': 'hook-succeeded' }),
    ),
    'helmish/test.yaml': map('test', annotated({ 'helm.sh/hook': 'test' })),
    'helmish/a.yaml': map('a'),
  });
  await application('helmish');
  await reaches('helmish', 'Succeeded');
  expect((await resultsOf('helmish')).map(({ name }) => name)).toEqual(['helmish', 'pre', 'a']);
  expect(await world.get(configMap('helmish', 'test'))).toBeUndefined();
});

it('a hook with only a generateName is named after commit, phase and time', async () => {
  const nameless = map('X', hookOf('PreSync')).replace('name: X', 'generateName: job-');
  const revision = await repo.push({ 'named/pre.yaml': nameless, 'named/a.yaml': map('a') });
  await application('named');
  await reaches('named', 'Succeeded');
  const [, hook] = await resultsOf('named');
  expect(hook?.name).toMatch(new RegExp(`^job-${revision.slice(0, 7)}-presync-\\d{10}$`));
  expect(await world.get(configMap('named', hook?.name ?? ''))).toBeDefined();
});

it('ending an operation deletes the hooks that run', async () => {
  await repo.push({ 'ended/pre.yaml': slow('pre', hookOf('PreSync')), 'ended/a.yaml': map('a') });
  await application('ended', { syncPolicy: { syncOptions: ['CreateNamespace=true'] } });
  await eventually(async () => expect((await world.app('ended')).status?.sync?.status).toBe('OutOfSync'));
  await world.api('/api/v1/applications/ended/sync', { method: 'POST', body: '{}' });
  await reaches('ended', 'Running', 'waiting for completion of hook /Service/pre');
  await world.api('/api/v1/applications/ended/operation', { method: 'DELETE' });
  await reaches('ended', 'Failed', 'Operation terminated');
  await eventually(async () => expect(await world.get(service('ended', 'pre'))).toBeUndefined());
  expect(await resultsOf('ended')).toMatchObject([{}, { name: 'pre', hookPhase: 'Failed', hookType: 'PreSync' }]);
});

it('a hook is run once, even when the engine dies while it runs', async () => {
  await repo.push({ 'once/pre.yaml': slow('pre', hookOf('PreSync')), 'once/a.yaml': map('a') });
  await application('once');
  await reaches('once', 'Running', 'waiting for completion of hook /Service/pre');
  const before = (await world.get(service('once', 'pre'))) as KubeObject;
  await world.whileEngineIsAway(async () => {
    // As if the engine had died before it could record the hook.
    const state = await stateOf('once');
    const resources = state?.syncResult?.resources?.filter(({ name }) => name !== 'pre');
    const appRef = {
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      namespace: 'argocd',
      name: 'once',
    };
    const body = { status: { operationState: { syncResult: { resources } } } };
    await world.client.patch(appRef, body, { type: 'merge' });
  });
  await eventually(async () => expect(await resultsOf('once')).toHaveLength(2));
  expect((await world.get(service('once', 'pre')))?.metadata.uid).toBe(before.metadata.uid);
  await giveAddress('once', 'pre');
  await reaches('once', 'Succeeded');
});

it('labels the namespace as managedNamespaceMetadata says, when it is made and later', async () => {
  await repo.push({ 'labelled/a.yaml': map('a') });
  const policy = (team: string) => ({
    syncPolicy: {
      automated: { prune: true, selfHeal: true },
      syncOptions: ['CreateNamespace=true'],
      managedNamespaceMetadata: { labels: { team } },
    },
  });
  await application('labelled', policy('a'));
  await reaches('labelled', 'Succeeded');
  const namespace = { group: '', version: 'v1', kind: 'Namespace', name: 'labelled' };
  expect((await world.get(namespace))?.metadata.labels).toMatchObject({ team: 'a' });
  const patch = JSON.stringify({ spec: policy('b') });
  const body = JSON.stringify({ patchType: 'merge', patch });
  await world.api('/api/v1/applications/labelled', { method: 'PATCH', body });
  await eventually(async () => {
    await world.api('/api/v1/applications/labelled/sync', { method: 'POST', body: '{}' });
    expect((await world.get(namespace))?.metadata.labels).toMatchObject({ team: 'b' });
  });
});
