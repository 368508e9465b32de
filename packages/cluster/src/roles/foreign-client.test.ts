// A client that knows nothing of us: what it believes, others will.
import { AppsV1Api, CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions, Watch } from '@kubernetes/client-node';
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
    await vi.waitFor(() => expect(seen).toEqual(['ADDED', 'MODIFIED', 'DELETED']), { timeout: 5000 });
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
        { timeout: 5000 },
      );
    await hasReady(1);
    const scale = await apps.readNamespacedDeploymentScale({ name: 'scaled', namespace: 'default' });
    expect(scale.spec?.replicas).toBe(1);
    const wanted = { metadata: { name: 'scaled', namespace: 'default' }, spec: { replicas: 3 } };
    await apps.replaceNamespacedDeploymentScale({ name: 'scaled', namespace: 'default', body: wanted });
    await hasReady(3);
  });
});
