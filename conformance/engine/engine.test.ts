// The engine on the embedded cluster, driven only from outside: git pushes, the Kubernetes API, the REST API.
import { sleep } from '@fairlead/base';
import type { Application } from '@fairlead/contracts';
import { type KubeObject, valueAt } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository, startWorld, type World } from './world.ts';

let world: World;
let repo: Repository;

beforeAll(async () => {
  world = await startWorld();
  repo = await world.repository('demo/shop');
}, 60_000);
afterAll(() => world.stop());

const deployment = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "${image}"}]}
`;
const map = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {key: "${value}"}\n`;
const service =
  'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}], selector: {app: web}}\n';

const spec = (path: string, extra: object = {}) => ({
  project: 'default',
  source: { repoURL: repo.url, path, targetRevision: 'main' },
  destination: { server: 'https://kubernetes.default.svc', namespace: path.replaceAll('/', '-') },
  syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
  ...extra,
});
const configMap = (namespace: string, name: string) => ({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  namespace,
  name,
});
const deploymentRef = (namespace: string) => ({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  namespace,
  name: 'web',
});
const isSynced = async (name: string, revision?: string): Promise<Application> =>
  eventually(async () => {
    const application = await world.app(name);
    expect(application.status?.sync).toMatchObject({ status: 'Synced', ...(revision ? { revision } : {}) });
    expect(application.status?.health?.status).toBe('Healthy');
    expect(application.status?.operationState?.phase).toBe('Succeeded');
    return application;
  });
const conditionsOf = async (name: string) => (await world.app(name)).status?.conditions ?? [];

describe('from push to cluster', () => {
  it('brings an application to Synced and Healthy', async () => {
    const revision = await repo.push({
      'shop/web.yaml': deployment('web:1'),
      'shop/service.yaml': service,
      'shop/map.yaml': map('settings', '1'),
    });
    await world.application('shop', spec('shop'), { finalizers: ['resources-finalizer.argocd.argoproj.io'] });
    const { status } = await isSynced('shop', revision);
    expect(status).toMatchObject({
      sourceType: 'Directory',
      resourceHealthSource: 'appTree',
      summary: { images: ['web:1'] },
    });
    expect(status?.history).toMatchObject([{ id: 0, revision }]);
    expect(status?.operationState?.syncResult).toMatchObject({ revision });
    expect(status?.resources?.map(({ kind, status: own }) => `${kind} ${own}`)).toEqual([
      'ConfigMap Synced',
      'Service Synced',
      'Deployment Synced',
    ]);
    const live = await world.get(deploymentRef('shop'));
    expect(live?.metadata.annotations?.['argocd.argoproj.io/tracking-id']).toBe('shop:apps/Deployment:shop/web');
  });

  it('rolls out a new image at a push, told by the webhook', async () => {
    const revision = await repo.push({ 'shop/web.yaml': deployment('web:2') });
    const { status } = await isSynced('shop', revision);
    await eventually(async () => expect((await world.app('shop')).status?.summary?.images).toEqual(['web:2']));
    expect(status?.history).toHaveLength(2);
  });

  it('leaves alone what a push does not move; a refresh takes the commit without a sync', async () => {
    await repo.push({ 'calm/map.yaml': map('calm', '1') });
    await world.application('calm', spec('calm'));
    const before = await isSynced('calm');
    const revision = await repo.push({ 'shop/web.yaml': deployment('web:3') });
    await isSynced('shop', revision);
    expect((await world.app('calm')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await world.api('/api/v1/applications/calm?refresh=normal');
    const after = await isSynced('calm', revision);
    expect(after.status?.operationState?.finishedAt).toBe(before.status?.operationState?.finishedAt);
    expect(after.status?.history).toHaveLength(1);
  });

  it('tells every push by the revision of a runtime’s own configuration', async () => {
    await repo.push({ 'own/map.yaml': map('own', '1') });
    await world.application('own', spec('own'), { labels: { 'fairlead.io/entity': 'internal-config' } });
    await isSynced('own');
    await isSynced('own', await repo.push({ 'elsewhere/NOTES.md': 'nothing of it' }));
  });

  it('syncs to what the repository holds now when somebody asks, though a commit did not move the application', async () => {
    const revision = await repo.push({ 'elsewhere/README.md': 'hello' });
    await world.api('/api/v1/applications/calm/sync', { method: 'POST', body: '{}' });
    const { status } = await isSynced('calm', revision);
    expect(status?.history?.at(-1)).toMatchObject({ id: 1, revision });
  });

  it('prunes what leaves the source', async () => {
    expect(await world.get(configMap('shop', 'settings'))).toBeDefined();
    const revision = await repo.push({ 'shop/map.yaml': null });
    await isSynced('shop', revision);
    await eventually(async () => expect(await world.get(configMap('shop', 'settings'))).toBeUndefined());
  });

  it('heals what somebody changed by hand', async () => {
    await world.client.patch(deploymentRef('shop'), { spec: { replicas: 5 } }, { type: 'merge' });
    await eventually(async () => expect(valueAt(await world.get(deploymentRef('shop')), 'spec', 'replicas')).toBe(2));
    await isSynced('shop');
  });
});

describe('when things are wrong', () => {
  it('names file and line of broken YAML, keeps what runs, and lets other applications go on', async () => {
    await repo.push({ 'good/map.yaml': map('good', '1'), 'bad/map.yaml': map('bad', '1') });
    await world.application('good', spec('good'));
    await world.application('bad', spec('bad'));
    await isSynced('good');
    await isSynced('bad');
    const revision = await repo.push({
      'bad/map.yaml': `${map('bad', '2')}---\napiVersion: v1\nkind: [\n`,
      'good/map.yaml': map('good', '2'),
    });
    await isSynced('good', revision);
    await eventually(async () => {
      const { status } = await world.app('bad');
      expect(status?.sync?.status).toBe('Unknown');
      expect(status?.conditions).toMatchObject([
        { type: 'ComparisonError', message: expect.stringMatching(/bad\/map\.yaml:\d+: /) },
      ]);
    });
    expect(valueAt(await world.get(configMap('bad', 'bad')), 'data', 'key')).toBe('1');
    await repo.push({ 'bad/map.yaml': map('bad', '3') });
    await isSynced('bad');
    expect(await conditionsOf('bad')).toEqual([]);
  });

  it.each([
    ['invalid-cluster', { destination: { server: 'https://elsewhere' } }, 'spec.destination.server'],
    ['invalid-project', { project: 'nowhere' }, 'project nowhere which does not exist'],
    ['invalid-sources', { source: undefined, sources: [{ repoURL: 'https://h/r' }] }, 'spec.sources[0].path'],
  ])('refuses %s by a condition that names the field', async (name, change, text) => {
    await world.application(name, { ...spec('good'), ...change });
    await eventually(async () =>
      expect(await conditionsOf(name)).toMatchObject([
        { type: 'InvalidSpecError', message: expect.stringContaining(text) },
      ]),
    );
  });

  it.each([
    ['no-revision', { targetRevision: 'nope' }, 'no revision "nope"'],
    ['no-path', { path: 'nowhere' }, 'app path does not exist'],
    ['no-server', { repoURL: 'http://127.0.0.1:9/x/y.git' }, 'cannot be read'],
  ])('says what is wrong with the source: %s', async (name, change, text) => {
    const { source, ...rest } = spec('good');
    await world.application(name, { ...rest, source: { ...source, ...change } });
    await eventually(async () =>
      expect(await conditionsOf(name)).toMatchObject([
        { type: 'ComparisonError', message: expect.stringContaining(text) },
      ]),
    );
  });

  it('does not wipe out everything when the source becomes empty', async () => {
    await repo.push({ 'empty/map.yaml': map('only', '1') });
    await world.application('empty', spec('empty'));
    await isSynced('empty');
    await repo.push({ 'empty/map.yaml': null, 'empty/README.md': 'x' });
    await eventually(async () =>
      expect(await conditionsOf('empty')).toMatchObject([
        { type: 'SyncError', message: expect.stringContaining('wipe out all') },
      ]),
    );
    expect(await world.get(configMap('empty', 'only'))).toBeDefined();
  });

  it('reports what the API server refuses, per resource, and stops trying the same commit', async () => {
    await repo.push({ 'refused/a.yaml': 'apiVersion: nowhere.example.com/v1\nkind: Nothing\nmetadata: {name: a}\n' });
    await world.application(
      'refused',
      spec('refused', { syncPolicy: { automated: {}, retry: { limit: 0 }, syncOptions: ['CreateNamespace=true'] } }),
    );
    await eventually(async () => {
      const { status } = await world.app('refused');
      expect(status?.operationState).toMatchObject({ phase: 'Failed' });
      const failed = status?.operationState?.syncResult?.resources?.find(({ kind }) => kind === 'Nothing');
      expect(failed).toMatchObject({ status: 'SyncFailed', message: expect.stringContaining('Nothing') });
      expect(status?.conditions).toMatchObject([{ type: 'SyncError' }]);
    });
  });
});

describe('order and options', () => {
  it('brings CRDs and their resources up in one sync', async () => {
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.harbour.example.com}
spec:
  group: harbour.example.com
  scope: Namespaced
  names: {kind: Boat, plural: boats, singular: boat, listKind: BoatList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}, colour: {type: string, default: red}}}}}}
`;
    const boat = 'apiVersion: harbour.example.com/v1\nkind: Boat\nmetadata: {name: first}\nspec: {size: 3}\n';
    const revision = await repo.push({ 'boats/a-boat.yaml': boat, 'boats/crd.yaml': crd });
    await world.application('boats', spec('boats'));
    await isSynced('boats', revision);
    const ref = { group: 'harbour.example.com', version: 'v1', kind: 'Boat', namespace: 'boats', name: 'first' };
    expect(valueAt(await world.get(ref), 'spec', 'size')).toBe(3);
    await repo.push({ 'boats/a-boat.yaml': boat.replace('3', '4') });
    await eventually(async () => expect(valueAt(await world.get(ref), 'spec', 'size')).toBe(4));
  });

  it('begins a wave only when the one before is healthy', async () => {
    const second = map('second', '1').replace(
      '{name: second}',
      '{name: second, annotations: {argocd.argoproj.io/sync-wave: "1"}}',
    );
    await repo.push({ 'waves/web.yaml': deployment('web:1'), 'waves/second.yaml': second });
    await world.application('waves', spec('waves'));
    await isSynced('waves');
    const made = await world.get(configMap('waves', 'second'));
    const first = await world.get(deploymentRef('waves'));
    expect(Date.parse(made?.metadata.creationTimestamp ?? '')).toBeGreaterThanOrEqual(
      Date.parse(first?.metadata.creationTimestamp ?? ''),
    );
    expect(valueAt(first, 'status', 'availableReplicas')).toBe(2);
  });
});

describe('operations', () => {
  const appRef = (name: string) => ({
    group: 'argoproj.io',
    version: 'v1alpha1',
    kind: 'Application',
    namespace: 'argocd',
    name,
  });
  const manual = { syncPolicy: { syncOptions: ['CreateNamespace=true'] } };

  it('takes up an operation that another process left half-done', async () => {
    const revision = await repo.push({ 'resumed/a.yaml': map('a', '1'), 'resumed/b.yaml': map('b', '1') });
    const result = {
      group: '',
      version: 'v1',
      kind: 'Namespace',
      namespace: '',
      name: 'resumed',
      status: 'Synced',
      syncPhase: 'PreSync',
    };
    const operationState = {
      phase: 'Running',
      startedAt: '2026-01-01T00:00:00Z',
      operation: { sync: { revision } },
      syncResult: { revision, resources: [result] },
    };
    await world.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'resumed' } });
    await world.client.create({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'resumed', namespace: 'argocd' },
      spec: spec('resumed', manual),
      status: { operationState },
    });
    const { status } = await isSynced('resumed', revision);
    expect(status?.operationState?.startedAt).toBe('2026-01-01T00:00:00Z');
    expect(status?.operationState?.syncResult?.resources?.map(({ kind, name }) => `${kind}/${name}`)).toEqual([
      'Namespace/resumed',
      'ConfigMap/a',
      'ConfigMap/b',
    ]);
  });

  it('ends an operation on request', async () => {
    const waiting = map('never', '1').replace(
      '{name: never}',
      '{name: never, annotations: {argocd.argoproj.io/sync-wave: "1"}}',
    );
    const balancer =
      'apiVersion: v1\nkind: Service\nmetadata: {name: lb}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n';
    await repo.push({ 'stuck/lb.yaml': balancer, 'stuck/never.yaml': waiting });
    await world.application('stuck', spec('stuck', manual));
    await eventually(async () => expect((await world.app('stuck')).status?.sync?.status).toBe('OutOfSync'));
    // Options of an operation are its own, as in Argo CD.
    const operation = { sync: { syncOptions: ['CreateNamespace=true'] } };
    await world.client.patch(appRef('stuck'), { operation }, { type: 'merge' });
    await eventually(async () =>
      expect((await world.app('stuck')).status?.operationState).toMatchObject({
        phase: 'Running',
        message: 'waiting for healthy state of /Service/lb',
      }),
    );
    expect((await world.api('/api/v1/applications/stuck/operation', { method: 'DELETE' })).status).toBe(200);
    await eventually(async () =>
      expect((await world.app('stuck')).status?.operationState).toMatchObject({
        phase: 'Failed',
        message: 'Operation terminated',
      }),
    );
    expect(await world.get(configMap('stuck', 'never'))).toBeUndefined();
  });

  it('syncs one resource when only one is asked for, and writes no history', async () => {
    await repo.push({ 'partial/a.yaml': map('a', '1'), 'partial/b.yaml': map('b', '1') });
    await world.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'partial' } });
    await world.application('partial', spec('partial', manual));
    await eventually(async () => expect((await world.app('partial')).status?.sync?.status).toBe('OutOfSync'));
    const body = JSON.stringify({ resources: [{ kind: 'ConfigMap', name: 'b' }] });
    await world.api('/api/v1/applications/partial/sync', { method: 'POST', body });
    await eventually(async () => expect((await world.app('partial')).status?.operationState?.phase).toBe('Succeeded'));
    expect(await world.get(configMap('partial', 'b'))).toBeDefined();
    expect(await world.get(configMap('partial', 'a'))).toBeUndefined();
    const { status } = await world.app('partial');
    expect(status?.sync?.status).toBe('OutOfSync');
    expect(status?.history).toBeUndefined();
  });

  it('goes back to an earlier revision by rollback', async () => {
    const first = await repo.push({ 'back/a.yaml': map('a', 'old') });
    await world.application('back', spec('back', manual));
    const sync = (path: string, body: object) =>
      world.api(`/api/v1/applications/back/${path}`, { method: 'POST', body: JSON.stringify(body) });
    await eventually(async () => expect((await world.app('back')).status?.sync?.status).toBe('OutOfSync'));
    await sync('sync', {});
    await isSynced('back', first);
    const second = await repo.push({ 'back/a.yaml': map('a', 'new') });
    await eventually(async () =>
      expect((await world.app('back')).status?.sync).toMatchObject({ status: 'OutOfSync', revision: second }),
    );
    await sync('sync', {});
    await isSynced('back', second);
    await sync('rollback', { id: 0 });
    await eventually(async () => expect(valueAt(await world.get(configMap('back', 'a')), 'data', 'key')).toBe('old'));
    await eventually(async () => {
      const { status } = await world.app('back');
      expect(status?.sync).toMatchObject({ status: 'OutOfSync', revision: second });
      expect(status?.history?.map(({ revision }) => revision)).toEqual([first, second, first]);
    });
  });
});

describe('deletion', () => {
  it('takes everything along when the finalizer is set, and nothing when it is not', async () => {
    const ref = (name: string) => ({
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      namespace: 'argocd',
      name,
    });
    await world.client.delete(ref('shop'));
    await eventually(async () => expect(await world.get(ref('shop'))).toBeUndefined());
    expect(await world.get(deploymentRef('shop'))).toBeUndefined();
    await world.client.delete(ref('good'));
    await eventually(async () => expect(await world.get(ref('good'))).toBeUndefined());
    expect(await world.get(configMap('good', 'good'))).toBeDefined();
  });
});

it('deletes what asks for confirmation only when it was approved', async () => {
  await repo.push({ 'guarded/map.yaml': map('guarded', '1') });
  await world.application(
    'guarded',
    spec('guarded', { syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] } }),
    {
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
  );
  await isSynced('guarded');
  const annotations = { 'argocd.argoproj.io/sync-options': 'Delete=confirm' };
  await world.client.patch(configMap('guarded', 'guarded'), { metadata: { annotations } }, { type: 'merge' });
  const ref = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: 'argocd', name: 'guarded' };
  await eventually(async () => {
    const { body } = await world.api('/api/v1/applications/guarded/managed-resources');
    expect(JSON.stringify(body)).toContain('Delete=confirm');
  });
  await world.client.delete(ref);
  await eventually(async () =>
    expect(await conditionsOf('guarded')).toMatchObject([
      { type: 'DeletionError', message: 'waiting for deletion confirmation of ConfigMap/guarded' },
    ]),
  );
  expect(await world.get(configMap('guarded', 'guarded'))).toBeDefined();
  const approval = { 'argocd.argoproj.io/deletion-approved': new Date().toISOString() };
  await world.client.patch(ref, { metadata: { annotations: approval } }, { type: 'merge' });
  await eventually(async () => expect(await world.get(ref)).toBeUndefined());
});

describe('the REST API', () => {
  const path = '/api/v1/applications/manual';

  beforeAll(async () => {
    await repo.push({
      'manual/web.yaml': deployment('web:7'),
      'manual/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: hunter2}\n',
    });
    const body = {
      metadata: { name: 'manual', labels: { team: 'a' } },
      spec: spec('manual', { syncPolicy: { syncOptions: ['CreateNamespace=true'] } }),
    };
    const { status } = await world.api('/api/v1/applications', { method: 'POST', body: JSON.stringify(body) });
    expect(status).toBe(200);
  });

  it('refuses callers without the key and tells nothing of unknown applications', async () => {
    expect(await world.api(path, { token: 'wrong' })).toMatchObject({ status: 401, body: { code: 16 } });
    expect(await world.api('/api/v1/applications/nope')).toEqual({
      status: 403,
      body: { error: 'permission denied', code: 7, message: 'permission denied' },
    });
    expect(await world.api('/api/v1/applications/nope?project=default')).toMatchObject({
      status: 404,
      body: { code: 5 },
    });
    expect((await world.api('/api/version', { token: '' })).status).toBe(200);
  });

  it('shows what would be done, syncs on request, and only once at a time', async () => {
    await eventually(async () => expect((await world.app('manual')).status?.sync?.status).toBe('OutOfSync'));
    expect((await world.app('manual')).status?.health?.status).toBe('Missing');
    const [first, second] = await Promise.all([
      world.api(`${path}/sync`, { method: 'POST', body: '{}' }),
      world.api(`${path}/sync`, { method: 'POST', body: '{}' }),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 400]);
    const refused = first.status === 400 ? first : second;
    expect(refused.body).toMatchObject({ code: 9 });
    const { status, operation } = await isSynced('manual');
    expect(operation).toBeUndefined();
    expect(status?.operationState?.operation).toMatchObject({ initiatedBy: { username: 'admin' } });
  });

  it('shows the tree down to pods, with images and health', async () => {
    const { body } = await world.api(`${path}/resource-tree`);
    const nodes = (
      body as { nodes: { kind: string; images?: string[]; health?: { status: string }; parentRefs?: unknown[] }[] }
    ).nodes;
    const kinds = nodes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'Pod')).toHaveLength(2);
    expect(kinds).toContain('ReplicaSet');
    const pod = nodes.find(({ kind }) => kind === 'Pod');
    expect(pod).toMatchObject({
      images: ['web:7'],
      health: { status: 'Healthy' },
      parentRefs: [{ kind: 'ReplicaSet' }],
    });
  });

  it('never tells the value of a Secret', async () => {
    const query = 'resourceName=s&namespace=manual&version=v1&kind=Secret&group=';
    const secret = Buffer.from('hunter2').toString('base64');
    for (const part of ['/managed-resources', '/manifests', `/resource?${query}`]) {
      const { status, body } = await world.api(path + part);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`hunter2|${secret}`));
      expect(JSON.stringify(body)).toContain('++++++++');
    }
  });

  it('lists with selector and fields, refreshes on demand, tells commit metadata', async () => {
    const { body } = await world.api(
      '/api/v1/applications?selector=team%3Da&fields=items.metadata.name,items.status.sync.status',
    );
    expect(body).toEqual({ items: [{ metadata: { name: 'manual' }, status: { sync: { status: 'Synced' } } }] });
    const refreshed = await world.api(`${path}?refresh=hard`);
    const application = refreshed.body as Application;
    expect(application.metadata.annotations?.['argocd.argoproj.io/refresh']).toBeUndefined();
    const deploymentStatus = application.status?.resources?.find(({ kind }) => kind === 'Deployment');
    expect(deploymentStatus?.health?.status).toBe('Healthy');
    const metadata = await world.api(`${path}/revisions/${application.status?.sync?.revision}/metadata`);
    expect(metadata.body).toMatchObject({ author: 'Test <test@example.com>', message: 'change' });
    expect((await world.api('/api/v1/clusters')).body).toMatchObject({
      items: [{ name: 'in-cluster', connectionState: { status: 'Successful' } }],
    });
  });

  it('streams applications, then their changes', async () => {
    const stop = new AbortController();
    const headers = { authorization: 'Bearer test-key' };
    const response = await fetch(`${world.engineUrl}/api/v1/stream/applications?name=manual`, {
      headers,
      signal: stop.signal,
    });
    const lines = linesOf(response.body as ReadableStream<Uint8Array>);
    expect((await lines.next()).value).toMatchObject({
      result: { type: 'ADDED', application: { metadata: { name: 'manual' } } },
    });
    await world.client.patch(
      { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: 'argocd', name: 'manual' },
      { metadata: { labels: { x: 'y' } } },
      { type: 'merge' },
    );
    expect((await lines.next()).value).toMatchObject({
      result: { type: 'MODIFIED', application: { metadata: { labels: { x: 'y' } } } },
    });
    stop.abort();
  });

  it('deletes with cascade', async () => {
    await world.api(path, { method: 'DELETE' });
    await eventually(async () => expect((await world.api(path)).status).toBe(403));
    expect(await world.get(deploymentRef('manual'))).toBeUndefined();
  });
});

it('is at rest when nothing happens, whatever state its applications are in', async () => {
  const numbers = async () => {
    const text = (await world.api('/metrics')).body as string;
    const of = (name: string) => Number(new RegExp(`^fairlead_engine_${name}\\{[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]);
    return { writes: of('application_writes_total'), reconciles: of('reconciles_total') };
  };
  const overTwoSeconds = async () => {
    const before = await numbers();
    await sleep(2000);
    const after = await numbers();
    return { writes: after.writes - before.writes, reconciles: after.reconciles - before.reconciles };
  };
  // Only the application whose server is unreachable is looked at again, with growing pauses.
  await eventually(async () => {
    const done = await overTwoSeconds();
    expect(done.writes).toBe(0);
    expect(done.reconciles).toBeLessThanOrEqual(2);
  });
});

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<KubeObject> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield JSON.parse(rest.slice(0, end));
      rest = rest.slice(end + 1);
    }
  }
}
