// Rollouts, ReplicaSets, AnalysisRuns and Workflows on the way from two clusters to the platform's API.
import { join } from 'node:path';
import { Lifecycle, silentLogger } from '@fairlead/base';
import { startCluster } from '@fairlead/cluster';
import { argoApiVersion, argoGroup, trackingIdAnnotation } from '@fairlead/contracts';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import { resourceReporterRole } from '@fairlead/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let lifecycle: Lifecycle;
let other: Awaited<ReturnType<typeof startCluster>>;
let elsewhere: KubeClient;

const definition = (kind: string, plural: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${argoGroup}` },
  spec: {
    group: argoGroup,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
const object = (kind: string, name: string, rest: object = {}, metadata: object = {}) => ({
  apiVersion: argoApiVersion,
  kind,
  metadata: { name, namespace: 'default', ...metadata },
  ...rest,
});

async function startReporter(): Promise<void> {
  lifecycle = new Lifecycle(silentLogger);
  const config = {
    kubeconfigFile: join(house.world.dir, 'kubeconfig'),
    kubeconfigContext: undefined,
    runtimeNamespace: 'fairlead',
    engineNamespace: 'argocd',
    resourceReporterMax: 1000,
    resourceReporterPort: undefined,
  };
  await resourceReporterRole.start(config, { log: silentLogger, lifecycle });
}

const listed = async (kind?: 'Rollout' | 'Workflow' | 'AnalysisRun' | 'ReplicaSet') => {
  const query = kind ? { kind } : {};
  return (await house.platform.api.call('listWorkloads', { params: { runtime: 'hosted' }, query })).items;
};
const namesOf = async (kind: 'Rollout' | 'Workflow') => (await listed(kind)).map(({ name }) => name).sort();
const ref = (kind: string, name: string) => ({
  group: argoGroup,
  version: 'v1alpha1',
  kind,
  namespace: 'default',
  name,
});

beforeAll(async () => {
  house = await startHouse();
  await house.startRuntime();
  await registerHosted(house);
  other = await startCluster({});
  elsewhere = new KubeClient(await loadKubeconfig(other.kubeconfig));
  await startReporter();
}, 180_000);
afterAll(async () => {
  await lifecycle?.stop();
  await house?.stop();
  await elsewhere?.close();
  await other?.stop();
});

/** As `cluster add` would store it. */
async function manageOther(): Promise<void> {
  const { server, ca = '', token = '' } = await loadKubeconfig(other.kubeconfig);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const config = JSON.stringify({ bearerToken: token, tlsClientConfig: { caData: base64(ca) } });
  const labels = { 'argocd.argoproj.io/secret-type': 'cluster' };
  const data = { name: base64('prod'), server: base64(server), config: base64(config) };
  await house.world.client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cluster-prod', namespace: 'argocd', labels },
    data,
  });
}

describe('workloads', () => {
  it('are watched from when the cluster serves their kind, and reported as they are', async () => {
    const { client } = house.world;
    await eventually(async () => expect(await listed()).toEqual([]));
    await client.create(definition('Rollout', 'rollouts'));
    const spec = { replicas: 2, template: { spec: { containers: [{ name: 'c', image: 'web:1' }] } } };
    const marked = { annotations: { [trackingIdAnnotation]: 'web:argoproj.io/Rollout:default/web' } };
    await eventually(() => client.create(object('Rollout', 'web', { spec, status: { phase: 'Progressing' } }, marked)));
    await eventually(async () => {
      const application = { namespace: 'argocd', name: 'web' };
      expect(await listed('Rollout')).toMatchObject([
        { name: 'web', phase: 'Progressing', images: ['web:1'], application },
      ]);
    }, 30_000);
    await client.patch(ref('Rollout', 'web'), { status: { phase: 'Healthy' } }, { type: 'merge' });
    await eventually(async () => expect(await listed('Rollout')).toMatchObject([{ phase: 'Healthy' }]));
  });

  it('of an application are listed with those that its Rollout made, and with manifests', async () => {
    const { client } = house.world;
    const source = { repoURL: house.world.gitUrl, path: '.', targetRevision: 'main' };
    const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };
    await house.world.application('web', { project: 'default', source, destination });
    const { metadata } = await client.get(ref('Rollout', 'web'));
    const owner = { apiVersion: argoApiVersion, kind: 'Rollout', name: 'web', uid: metadata.uid, controller: true };
    await client.create(definition('AnalysisRun', 'analysisruns'));
    const run = object('AnalysisRun', 'web-1', { status: { phase: 'Failed' } }, { ownerReferences: [owner] });
    await eventually(() => client.create(run));
    const params = { runtime: 'hosted', namespace: 'argocd', name: 'web' };
    await eventually(async () => {
      const { items } = await house.platform.api.call('listApplicationWorkloads', { params });
      expect(items.map(({ kind }) => kind).sort()).toEqual(['AnalysisRun', 'Rollout']);
      expect(items.find(({ kind }) => kind === 'AnalysisRun')).toMatchObject({
        phase: 'Failed',
        owner: { kind: 'Rollout', name: 'web' },
        manifest: { status: { phase: 'Failed' } },
      });
    }, 30_000);
  });

  it('of a managed cluster are reported too, and forgotten with it; one that is silent keeps what was seen', async () => {
    await elsewhere.create(definition('Workflow', 'workflows'));
    await eventually(() => elsewhere.create(object('Workflow', 'build', { status: { phase: 'Running' } })));
    await manageOther();
    await eventually(async () => expect(await namesOf('Workflow')).toEqual(['build']), 30_000);
    await elsewhere.create(object('Workflow', 'test'));
    await elsewhere.delete(ref('Workflow', 'build'));
    await eventually(async () => expect(await namesOf('Workflow')).toEqual(['test']));
    await other.stop();
    await lifecycle.stop();
    await startReporter();
    await house.world.client.create(object('Rollout', 'second'));
    await eventually(async () => expect(await namesOf('Rollout')).toEqual(['second', 'web']), 30_000);
    expect(await namesOf('Workflow'), 'nobody knows that it is gone').toEqual(['test']);
    const secret = { group: '', version: 'v1', kind: 'Secret', namespace: 'argocd', name: 'cluster-prod' };
    await house.world.client.delete(secret);
    await eventually(async () => expect(await namesOf('Workflow')).toEqual([]), 30_000);
  }, 90_000);

  it('that went while the reporter was away are found gone', async () => {
    await lifecycle.stop();
    await house.world.client.delete(ref('Rollout', 'second'));
    await startReporter();
    await eventually(async () => expect(await namesOf('Rollout')).toEqual(['web']), 30_000);
  });
});
