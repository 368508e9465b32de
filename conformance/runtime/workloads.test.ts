// Rollouts, ReplicaSets, AnalysisRuns and Workflows on the way from two clusters to the platform's API, and acts on them. The
// definitions have the shape of the real ones; ARGO_CRDS=DIR takes those (DIR/rollouts.yaml, analysisruns.yaml, workflows.yaml).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lifecycle, silentLogger } from '@fairlead/base';
import { startCluster } from '@fairlead/cluster';
import { argoApiVersion, argoGroup } from '@fairlead/contracts';
import { KubeClient, type KubeObject, loadKubeconfig } from '@fairlead/kube';
import { resourceReporterRole } from '@fairlead/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { byKubeconfig } from '../by-kubeconfig.ts';
import { eventually } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let lifecycle: Lifecycle;
let other: Awaited<ReturnType<typeof startCluster>>;
let elsewhere: KubeClient;

/** A Rollout's status is a part of its own; those of the others are written with the object. */
const subresourcesOf: Readonly<Record<string, object>> = { Rollout: { status: {} } };
const given = process.env['ARGO_CRDS'];
const definition = (kind: string, plural: string) =>
  given ? parse(readFileSync(join(given, `${plural}.yaml`), 'utf8')) : ownDefinition(kind, plural);
const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const ownDefinition = (kind: string, plural: string) => ({
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
        schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec: loose, status: loose } } },
        subresources: subresourcesOf[kind] ?? {},
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
    ...byKubeconfig,
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

const web = { runtime: 'hosted', namespace: 'argocd', name: 'web' };
const selector = { matchLabels: { app: 'web' } };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'web:1' }] } };
const strategy = { canary: { steps: [{ setWeight: 50 }, { pause: {} }] } };
const rolloutSpec = { replicas: 2, selector, template, strategy };
const workflow = { spec: { entrypoint: 'main', templates: [{ name: 'main', container: { image: 'build:1' } }] } };
const failed = { phase: 'Failed', message: 'errors: 5 of 5' };

const replicaSet = (ownerReferences: object[]) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web-5d9b8', namespace: 'default', ownerReferences } as KubeObject['metadata'],
  spec: { replicas: 0, selector, template },
});

async function deployRollout(): Promise<void> {
  const repository = await house.world.repository('demo/web');
  await repository.push({ 'web.yaml': JSON.stringify(object('Rollout', 'web', { spec: rolloutSpec })) }, 'a Rollout');
  await house.world.application('web', {
    project: 'default',
    source: { repoURL: repository.url, path: '.', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
    syncPolicy: { automated: {} },
  });
}

/** As the controller of Rollouts writes it. */
const tellStatus = (status: object) => {
  const pauseConditions = [{ reason: 'CanaryPauseStep', startTime: '2026-01-02T03:04:05Z' }];
  const hashes = { observedGeneration: '1', currentPodHash: 'new', stableRS: 'old', currentStepIndex: 1 };
  const body = { status: { ...hashes, pauseConditions, ...status } };
  return house.world.client.patch(ref('Rollout', 'web'), body, { type: 'merge', subresource: 'status' });
};

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
    await deployRollout();
    await eventually(async () => {
      const application = { namespace: 'argocd', name: 'web' };
      expect(await listed('Rollout')).toMatchObject([{ name: 'web', images: ['web:1'], application }]);
    }, 30_000);
    await tellStatus({ phase: 'Paused', message: 'CanaryPauseStep' });
    await eventually(async () => expect(await listed('Rollout')).toMatchObject([{ phase: 'Paused' }]));
  });

  it('of an application are listed with those that its Rollout made, and with manifests', async () => {
    const { client } = house.world;
    const { metadata } = await client.get(ref('Rollout', 'web'));
    const owner = { apiVersion: argoApiVersion, kind: 'Rollout', name: 'web', uid: metadata.uid, controller: true };
    await client.create(definition('AnalysisRun', 'analysisruns'));
    const metrics = { spec: { metrics: [{ name: 'errors', provider: {} }] } };
    const run = object('AnalysisRun', 'web-1', { ...metrics, status: failed }, { ownerReferences: [owner] });
    await eventually(() => client.create(run));
    await client.create(replicaSet([owner]));
    await eventually(async () => {
      const { items } = await house.platform.api.call('listApplicationWorkloads', { params: web });
      expect(items.map(({ kind }) => kind).sort()).toEqual(['AnalysisRun', 'ReplicaSet', 'Rollout']);
      expect(items.find(({ kind }) => kind === 'AnalysisRun')).toMatchObject({
        phase: 'Failed',
        owner: { kind: 'Rollout', name: 'web' },
        manifest: { status: failed },
      });
    }, 30_000);
  });

  it('are acted on: what steers a Rollout by its status arrives there', async () => {
    const resource = { kind: 'Rollout', group: argoGroup, namespace: 'default', resource: 'web' };
    const { api } = house.platform;
    const enabled = async () => {
      const { items } = await api.call('listResourceActions', { params: web, query: resource });
      return items.filter(({ disabled }) => !disabled).map(({ name }) => name);
    };
    await eventually(async () => expect(await enabled()).toContain('promote-full'));
    const act = (action: string) => api.call('runResourceAction', { params: web, body: { ...resource, action } });
    const live = () => house.world.client.get(ref('Rollout', 'web'));
    await act('abort');
    expect(await live()).toMatchObject({ status: { abort: true, phase: 'Paused' } });
    await eventually(async () => expect(await enabled()).toContain('retry'));
    await act('retry');
    await act('resume');
    expect((await live())['status']).not.toMatchObject({ pauseConditions: expect.anything() });
    await act('promote-full');
    expect(await live()).toMatchObject({ status: { promoteFull: true } });
    await act('restart');
    expect(await live()).toMatchObject({ spec: { restartAt: expect.any(String) }, status: { promoteFull: true } });
  });

  it('of a managed cluster are reported too, and forgotten with it; one that is silent keeps what was seen', async () => {
    await elsewhere.create(definition('Workflow', 'workflows'));
    await eventually(() =>
      elsewhere.create(object('Workflow', 'build', { ...workflow, status: { phase: 'Running' } })),
    );
    await manageOther();
    await eventually(async () => expect(await namesOf('Workflow')).toEqual(['build']), 30_000);
    await elsewhere.create(object('Workflow', 'test', workflow));
    await elsewhere.delete(ref('Workflow', 'build'));
    await eventually(async () => expect(await namesOf('Workflow')).toEqual(['test']));
    await other.stop();
    await lifecycle.stop();
    await startReporter();
    await house.world.client.create(object('Rollout', 'second', { spec: rolloutSpec }));
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
