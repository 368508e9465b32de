// A client that knows nothing of us: what it believes, others will.
import {
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningCluster, startCluster } from './cluster.ts';

let cluster: RunningCluster;
const config = new KubeConfig();
beforeAll(async () => {
  cluster = await startCluster({ simulation: { pullMs: 10, readyMs: 10 } });
  config.loadFromString(cluster.kubeconfig);
});
afterAll(() => cluster.stop());

describe('@kubernetes/client-node', () => {
  it('lists, creates, patches, watches and deletes', async () => {
    const core = config.makeApiClient(CoreV1Api);
    const seen: string[] = [];
    const watch = await new Watch(config).watch(
      '/api/v1/namespaces/default/configmaps',
      { fieldSelector: 'metadata.name=foreign' },
      (type) => void seen.push(type),
      () => undefined,
    );
    const namespaces = await core.listNamespace();
    expect(namespaces.items.map((item) => item.metadata?.name)).toContain('default');
    await core.createNamespacedConfigMap({
      namespace: 'default',
      body: { metadata: { name: 'foreign' }, data: { a: '1' } },
    });
    const patched = await core.patchNamespacedConfigMap(
      { name: 'foreign', namespace: 'default', body: { data: { b: '2' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    expect(patched.data).toEqual({ a: '1', b: '2' });
    await core.deleteNamespacedConfigMap({ name: 'foreign', namespace: 'default' });
    await vi.waitFor(() => expect(seen).toEqual(['ADDED', 'MODIFIED', 'DELETED']), { timeout: 30_000 });
    watch.abort();
  });

  it('scales a deployment through its scale', async () => {
    const apps = config.makeApiClient(AppsV1Api);
    const labels = { app: 'scaled' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
    const body = { metadata: { name: 'scaled' }, spec: { replicas: 1, selector: { matchLabels: labels }, template } };
    await apps.createNamespacedDeployment({ namespace: 'default', body });
    const hasReady = (count: number) =>
      vi.waitFor(
        async () => {
          const { status } = await apps.readNamespacedDeployment({ name: 'scaled', namespace: 'default' });
          expect(status?.readyReplicas).toBe(count);
        },
        { timeout: 30_000 },
      );
    await hasReady(1);
    const scale = await apps.readNamespacedDeploymentScale({ name: 'scaled', namespace: 'default' });
    expect(scale.spec?.replicas).toBe(1);
    const wanted = { metadata: { name: 'scaled', namespace: 'default' }, spec: { replicas: 3 } };
    await apps.replaceNamespacedDeploymentScale({ name: 'scaled', namespace: 'default', body: wanted });
    await hasReady(3);
  });

  it('keeps an informer true', async () => {
    const core = config.makeApiClient(CoreV1Api);
    const namespace = 'informed';
    await core.createNamespace({ body: { metadata: { name: namespace } } });
    const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: 'seen=yes' });
    const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, list, 'seen=yes');
    const told: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, (object) => void told.push(`${verb} ${object.metadata?.name}`));
    }
    informer.on('error', (error) => void told.push(`error ${String(error)}`));
    const body = (name: string) => ({ metadata: { name, labels: { seen: 'yes' } }, data: { a: '1' } });
    await core.createNamespacedConfigMap({ namespace, body: body('before') });
    await informer.start();
    await core.createNamespacedConfigMap({ namespace, body: body('after') });
    await core.patchNamespacedConfigMap(
      { name: 'after', namespace, body: [{ op: 'replace', path: '/data/a', value: '2' }] },
      setHeaderOptions('Content-Type', PatchStrategy.JsonPatch),
    );
    await core.deleteNamespacedConfigMap({ name: 'before', namespace });
    const expected = ['add before', 'add after', 'update after', 'delete before'];
    await vi.waitFor(() => expect(told).toEqual(expected), { timeout: 30_000 });
    expect(informer.get('after', namespace)?.data).toEqual({ a: '2' });
    await informer.stop();
  });

  it('applies on the server, and meets conflicts there', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const spec = (value: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'applied', namespace: 'default' },
      data: { a: value },
    });
    const apply = (value: string, manager: string, force: boolean) =>
      objects.patch(spec(value), undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
    await apply('1', 'left', false);
    await expect(apply('2', 'right', false)).rejects.toMatchObject({ code: 409 });
    const taken = (await apply('2', 'right', true)) as V1ConfigMap;
    expect(taken.data).toEqual({ a: '2' });
    expect(taken.metadata?.managedFields?.map(({ manager }) => manager)).toEqual(['right']);
    const core = config.makeApiClient(CoreV1Api);
    const merged = await core.patchNamespacedConfigMap(
      { name: 'applied', namespace: 'default', body: { data: { b: '3' } } },
      setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch),
    );
    expect(merged.data).toEqual({ a: '2', b: '3' });
  });
});
