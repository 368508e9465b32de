// The two halves of one protocol, met over the real socket: our client and informer on the embedded cluster.
import { getEventListeners, setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import {
  gvkOf,
  Informer,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  KubeClient,
  type KubeObject,
  loadKubeconfig,
  valueAt,
} from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let cluster: RunningCluster;
let client: KubeClient;
beforeAll(async () => {
  cluster = await startCluster({ simulation: { pullMs: 20, readyMs: 20, terminateMs: 20, backOffMs: 20 } });
  client = new KubeClient(await loadKubeconfig(cluster.kubeconfig));
});
afterAll(async () => {
  await client.close();
  await cluster.stop();
});

let counter = 0;
async function newNamespace(): Promise<string> {
  const name = `test-${++counter}`;
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  // What every namespace gets comes a moment later, and would count as a change of its own.
  await until(async () => void (await client.get(ref('ConfigMap', name, 'kube-root-ca.crt'))));
  return name;
}

const configMap = (namespace: string, name: string, data: object = { a: '1' }): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});
const configMaps = (namespace: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace });
const ref = (kind: string, namespace: string, name: string) => ({
  ...gvkOf({ apiVersion: kind === 'Deployment' || kind === 'ReplicaSet' ? 'apps/v1' : 'v1', kind }),
  namespace,
  name,
});

const deployment = (namespace: string, image = 'nginx:1', replicas = 2): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
  },
});

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 25 });

describe('a signal', () => {
  it('is left without listeners when what listened is over, however many did', async () => {
    const { signal } = new AbortController();
    setMaxListeners(0, signal);
    const listeners = () => getEventListeners(signal, 'abort').length;
    const query = { apiVersion: 'v1', kind: 'Pod' };
    const asked = Array.from({ length: 20 }, () => client.list(query, { signal }));
    await Promise.all(asked);
    expect(listeners()).toBe(0);
  });
});

describe('the API server, spoken to by our client', () => {
  it('creates, reads, lists in pages, and deletes', async () => {
    const namespace = await newNamespace();
    for (const name of ['a', 'b', 'c']) await client.create(configMap(namespace, name));
    const first = await client.list({ ...configMaps(namespace), limit: 2 });
    const second = await client.list({ ...configMaps(namespace), limit: 2, continue: first.continue });
    const names = [...first.items, ...second.items].map(({ metadata }) => metadata.name);
    expect(names).toEqual(['a', 'b', 'c', 'kube-root-ca.crt']);
    expect(second.resourceVersion).toBe(first.resourceVersion);
    await client.delete(ref('ConfigMap', namespace, 'a'));
    await expect(client.get(ref('ConfigMap', namespace, 'a'))).rejects.toSatisfy(isNotFound);
  });

  it('answers with the words of Kubernetes when it refuses', async () => {
    const namespace = await newNamespace();
    await client.create(configMap(namespace, 'a'));
    await expect(client.create(configMap(namespace, 'a'))).rejects.toSatisfy(isAlreadyExists);
    await expect(client.create(configMap('nowhere', 'a'))).rejects.toThrow('namespaces "nowhere" not found');
    await expect(client.create(configMap(namespace, 'Not_A_Name'))).rejects.toSatisfy(isInvalid);
    const stale = { ...configMap(namespace, 'a'), metadata: { name: 'a', namespace, resourceVersion: '1' } };
    await expect(client.update(stale)).rejects.toSatisfy(isConflict);
  });

  it('does not write on a dry run, nor when nothing changes', async () => {
    const namespace = await newNamespace();
    await client.create(configMap(namespace, 'a'), { dryRun: true });
    await expect(client.get(ref('ConfigMap', namespace, 'a'))).rejects.toSatisfy(isNotFound);
    const { metadata } = await client.create(configMap(namespace, 'a'));
    const same = await client.patch(ref('ConfigMap', namespace, 'a'), { data: { a: '1' } }, { type: 'merge' });
    expect(same.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it('patches in all four ways', async () => {
    const namespace = await newNamespace();
    await client.create(deployment(namespace, 'nginx:1', 0));
    const target = ref('Deployment', namespace, 'web');
    const containers = [{ name: 'web', env: [{ name: 'A', value: '1' }] }];
    await client.patch(target, { spec: { template: { spec: { containers } } } }, { type: 'strategic' });
    await client.patch(target, { spec: { minReadySeconds: 3 } }, { type: 'merge' });
    await client.patch(target, [{ op: 'add', path: '/spec/paused', value: true }], { type: 'json' });
    const intent = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { revisionHistoryLimit: 3 },
    };
    const applied = await client.patch(target, intent, { type: 'apply', fieldManager: 'test', force: true });
    expect(applied).toMatchObject({
      spec: {
        minReadySeconds: 3,
        paused: true,
        revisionHistoryLimit: 3,
        template: { spec: { containers: [{ name: 'web', image: 'nginx:1', env: [{ name: 'A', value: '1' }] }] } },
      },
    });
    const other = { ...intent, spec: { revisionHistoryLimit: 4 } };
    await expect(client.patch(target, other, { type: 'apply', fieldManager: 'other' })).rejects.toThrow(
      'conflict with "test": .spec.revisionHistoryLimit',
    );
  });

  it('refuses a body over 3 MiB', async () => {
    const big = configMap('default', 'big', { a: 'x'.repeat(3 * 1024 * 1024) });
    await expect(client.create(big)).rejects.toMatchObject({ status: 413 });
  });

  it('refuses a wrong token', async () => {
    const stranger = new KubeClient({ ...client.connection, token: 'wrong' });
    await expect(stranger.list(configMaps('default'))).rejects.toMatchObject({ status: 401 });
    await stranger.close();
  });

  it('resumes a watch where it was, and says gone when it cannot', { timeout: 120_000 }, async () => {
    const namespace = await newNamespace();
    const { metadata } = await client.create(configMap(namespace, 'a'));
    await client.patch(ref('ConfigMap', namespace, 'a'), { data: { a: '2' } }, { type: 'merge' });
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const event of client.watch(configMaps(namespace), {
      resourceVersion: metadata.resourceVersion,
      signal: stop.signal,
    })) {
      seen.push(`${event.type} ${String(valueAt(event.object, 'data', 'a'))}`);
      break;
    }
    stop.abort();
    expect(seen).toEqual(['MODIFIED 2']);
    for (let index = 0; index < 5200; index += 400) {
      const values = Array.from({ length: 400 }, (_, offset) => String(index + offset));
      await Promise.all(
        values.map((a) => client.patch(ref('ConfigMap', namespace, 'a'), { data: { a } }, { type: 'merge' })),
      );
    }
    const old = client.watch(configMaps(namespace), {
      resourceVersion: metadata.resourceVersion,
      signal: AbortSignal.timeout(5000),
    });
    expect((await old.next()).value).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  it('serves a new kind within a second of its definition, in all its versions', async () => {
    const namespace = await newNamespace();
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await client.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          { name: 'v1', served: true, storage: true, schema, subresources: { status: {} } },
          { name: 'v1beta1', served: true, storage: false, schema },
        ],
      },
    });
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace },
      spec: { size: 1 },
      status: { no: true },
    };
    const created = await client.create(widget);
    expect(created).not.toHaveProperty('status');
    expect(created.metadata.generation).toBe(1);
    const withStatus = await client.updateStatus({ ...created, status: { ready: true }, spec: { size: 9 } });
    expect(withStatus).toMatchObject({ spec: { size: 1 }, status: { ready: true }, metadata: { generation: 1 } });
    const old = await client.get({ group: 'example.com', version: 'v1beta1', kind: 'Widget', namespace, name: 'w' });
    expect(old).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { size: 1 } });
    await client.delete({
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      name: 'widgets.example.com',
    });
    await until(async () => {
      await expect(client.raw({ method: 'GET', path: '/apis/example.com/v1/widgets' })).rejects.toSatisfy(isNotFound);
    });
  });
});

describe('the informer, on the real server', () => {
  it('follows adds, updates and deletes', async () => {
    const namespace = await newNamespace();
    await client.create(configMap(namespace, 'before'));
    const stop = new AbortController();
    const informer = new Informer({ client, query: configMaps(namespace) });
    const changes: string[] = [];
    informer.onChange(({ type, object }) => changes.push(`${type} ${object.metadata.name}`));
    const running = informer.run({ signal: stop.signal });
    await informer.synced();
    await client.create(configMap(namespace, 'x'));
    await client.patch(ref('ConfigMap', namespace, 'x'), { data: { b: '2' } }, { type: 'merge' });
    await client.delete(ref('ConfigMap', namespace, 'x'));
    await until(async () => expect(changes).toContain('delete x'));
    expect(changes.filter((change) => change.endsWith(' x'))).toEqual(['add x', 'update x', 'delete x']);
    expect(informer.get(`/ConfigMap/${namespace}/before`)).toBeDefined();
    stop.abort();
    await running;
  });
});

describe('the controllers', () => {
  it('bring a deployment up, roll it on, and roll it back', async () => {
    const namespace = await newNamespace();
    await client.create(deployment(namespace));
    const target = ref('Deployment', namespace, 'web');
    const isRolledOut = async (image: string) => {
      const { status, metadata } = await client.get(target);
      expect(status).toMatchObject({
        observedGeneration: metadata.generation,
        updatedReplicas: 2,
        availableReplicas: 2,
        replicas: 2,
      });
      const pods = await client.list({ apiVersion: 'v1', kind: 'Pod', namespace, labelSelector: 'app=web' });
      expect(pods.items.map((pod) => valueAt(pod, 'spec', 'containers'))).toMatchObject([[{ image }], [{ image }]]);
    };
    await until(() => isRolledOut('nginx:1'));
    const change = (image: string) =>
      client.patch(
        target,
        { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } },
        { type: 'strategic' },
      );
    await change('nginx:2');
    await until(() => isRolledOut('nginx:2'));
    await change('nginx:1');
    await until(() => isRolledOut('nginx:1'));
    const sets = await client.list({ apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace });
    const revisions = sets.items.map(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision']);
    expect(revisions.toSorted()).toEqual(['2', '3']);
  });

  it('keep the old pods when the new image cannot be pulled', async () => {
    const namespace = await newNamespace();
    await client.create(deployment(namespace));
    const pods = () => client.list({ apiVersion: 'v1', kind: 'Pod', namespace });
    await until(async () => {
      expect((await client.get(ref('Deployment', namespace, 'web')))['status']).toMatchObject({ availableReplicas: 2 });
    });
    const spec = { template: { spec: { containers: [{ name: 'web', image: 'nginx:does-not-exist' }] } } };
    await client.patch(ref('Deployment', namespace, 'web'), { spec }, { type: 'strategic' });
    await until(async () => {
      const reasons = (await pods()).items.flatMap((pod) =>
        (valueAt(pod, 'status', 'containerStatuses') as object[]).map((status) =>
          valueAt(status, 'state', 'waiting', 'reason'),
        ),
      );
      expect(reasons).toContain('ImagePullBackOff');
    });
    expect((await client.get(ref('Deployment', namespace, 'web')))['status']).toMatchObject({ availableReplicas: 2 });
  });

  it.each(['Background', 'Foreground'] as const)(
    'take what a deployment owns with it (%s)',
    async (propagationPolicy) => {
      const namespace = await newNamespace();
      await client.create(deployment(namespace));
      const left = async () => (await client.list({ apiVersion: 'v1', kind: 'Pod', namespace })).items.length;
      await until(async () => expect(await left()).toBe(2));
      await client.delete(ref('Deployment', namespace, 'web'), { propagationPolicy });
      await until(async () => expect(await left()).toBe(0));
      await until(() => expect(client.get(ref('Deployment', namespace, 'web'))).rejects.toSatisfy(isNotFound));
    },
  );

  it('leave orphans alone', async () => {
    const namespace = await newNamespace();
    await client.create(deployment(namespace));
    const sets = async () => (await client.list({ apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace })).items;
    await until(async () => expect(await sets()).toHaveLength(1));
    await client.delete(ref('Deployment', namespace, 'web'), { propagationPolicy: 'Orphan' });
    await until(async () => expect(client.get(ref('Deployment', namespace, 'web'))).rejects.toSatisfy(isNotFound));
    expect((await sets())[0]?.metadata.ownerReferences ?? []).toEqual([]);
  });

  it('empty a namespace before it goes, and let nothing new in', async () => {
    const namespace = await newNamespace();
    const held = {
      ...configMap(namespace, 'held'),
      metadata: { name: 'held', namespace, finalizers: ['example.com/hold'] },
    };
    await client.create(held);
    await client.create(configMap(namespace, 'free'));
    const target = { group: '', version: 'v1', kind: 'Namespace', name: namespace };
    await client.delete(target);
    await until(async () => expect(client.get(ref('ConfigMap', namespace, 'free'))).rejects.toSatisfy(isNotFound));
    await expect(client.create(configMap(namespace, 'late'))).rejects.toMatchObject({ status: 403 });
    await client.patch(ref('ConfigMap', namespace, 'held'), { metadata: { finalizers: null } }, { type: 'merge' });
    await until(async () => expect(client.get(target)).rejects.toSatisfy(isNotFound));
  });

  it('list the ready pods behind a service', async () => {
    const namespace = await newNamespace();
    await client.create(deployment(namespace));
    const spec = { selector: { app: 'web' }, ports: [{ port: 80 }] };
    await client.create({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace }, spec });
    await until(async () => {
      const endpoints = await client.get(ref('Endpoints', namespace, 'web'));
      expect(valueAt(endpoints, 'subsets')).toMatchObject([{ addresses: [{}, {}], ports: [{ port: 80 }] }]);
    });
  });
});

describe('a restarted cluster', () => {
  it('finds everything again under the same identity', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'fairlead-restart-'));
    const first = await startCluster({ dir });
    const before = new KubeClient(await loadKubeconfig(first.kubeconfig));
    const created = await before.create(configMap('default', 'kept'));
    await before.close();
    await first.stop();
    const second = await startCluster({ dir });
    const connection = await loadKubeconfig(second.kubeconfig);
    expect({ token: connection.token, ca: connection.ca }).toEqual({
      token: before.connection.token,
      ca: before.connection.ca,
    });
    const after = new KubeClient(connection);
    expect(await after.get(ref('ConfigMap', 'default', 'kept'))).toEqual(created);
    // A version this cluster has never had belongs to another one: its holder must list afresh.
    const signal = AbortSignal.timeout(5000);
    const events = [];
    for await (const event of after.watch(configMaps('default'), { resourceVersion: '999999999', signal }))
      events.push(event);
    expect(events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    await after.close();
    await second.stop();
    await rm(dir, { recursive: true });
  });
});
