// Objects that make no sense, as an API server keeps them whose definitions check nothing: each is told what is wrong with
// it, where it can be told at all, and none keeps the engine from the others.
import type { KubeObject } from '@fairlead/kube';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configMap, manifests, refTo } from './scenarios/objects.ts';
import { eventually, type Repository, startWorld, type World } from './world.ts';

let world: World;
let repo: Repository;

beforeAll(async () => {
  world = await startWorld();
  repo = await world.repository('demo/poison');
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  for (const kind of ['applications', 'appprojects', 'applicationsets']) {
    const ref = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      name: `${kind}.argoproj.io`,
    };
    const version = { name: 'v1alpha1', served: true, storage: true, schema: { openAPIV3Schema: open } };
    await world.client.patch(ref, { spec: { versions: [version] } }, { type: 'merge' });
  }
}, 60_000);
afterAll(() => world.stop());

const good = (path: string) => ({
  project: 'default',
  source: { repoURL: repo.url, path, targetRevision: 'main' },
  destination: { server: 'https://kubernetes.default.svc', namespace: path },
  syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
});

/** What an Application holds in place of its spec, or in its place in it, and the field that is named. */
const poisons = (): readonly [unknown, string][] => [
  [null, 'spec'],
  ['text', 'spec'],
  [[], 'spec'],
  [{}, 'spec.project'],
  [{ ...good('p'), project: 7 }, 'spec.project'],
  [{ ...good('p'), source: 'x' }, 'spec.source'],
  [{ ...good('p'), source: { repoURL: 7, path: 'p' } }, 'spec.source.repoURL'],
  [{ ...good('p'), sources: 'x' }, 'spec.sources'],
  [{ ...good('p'), sources: [null] }, 'spec.sources.0'],
  [{ ...good('p'), destination: null }, 'spec.destination'],
  [{ ...good('p'), destination: { server: ['x'] } }, 'spec.destination.server'],
  [{ ...good('p'), destination: { name: 'nowhere', namespace: 'p' } }, 'spec.destination.name'],
  [{ ...good('p'), syncPolicy: 'auto' }, 'spec.syncPolicy'],
  [{ ...good('p'), ignoreDifferences: [{ kind: 1 }] }, 'spec.ignoreDifferences.0.kind'],
  [{ ...good('p'), info: 'x' }, 'spec.info'],
  [{ ...good('p'), source: { ...good('p').source, helm: { parameters: {} } } }, 'spec.source.helm.parameters'],
];

const make = (kind: string, name: string, fields: object) =>
  world.client.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind,
    metadata: { name, namespace: 'argocd', finalizers: kind === 'Application' ? [finalizer] : [] },
    ...fields,
  } as KubeObject);
const finalizer = 'resources-finalizer.argocd.argoproj.io';

it('one poisoned object never stops the others', async () => {
  await make('AppProject', 'poisoned', { spec: 'x' });
  await make('AppProject', 'poisoned-too', { spec: { sourceRepos: 7, destinations: 'all', roles: [null] } });
  await make('ApplicationSet', 'poisoned', { spec: null });
  await make('ApplicationSet', 'poisoned-too', { spec: { generators: [7], template: [] } });
  for (const [index, [spec]] of poisons().entries()) await make('Application', `poisoned-${index}`, { spec });
  const oddStatus = { status: { operationState: 'x', history: 7, sync: [] } };
  await make('Application', 'poisoned-status', { spec: { ...good('p'), project: 'poisoned' }, ...oddStatus });

  await repo.push({ 'shop/all.yaml': manifests(configMap('a', '1')) });
  await world.application('shop', good('shop'));
  const hasKey = (key: string) =>
    eventually(
      async () => expect(await world.get(refTo('ConfigMap', 'a', 'shop'))).toMatchObject({ data: { key } }),
      60_000,
    );
  await hasKey('1');
  await repo.push({ 'shop/all.yaml': manifests(configMap('a', '2')) }); // told by a webhook, for all applications at once
  await hasKey('2');
  const { status, body } = await world.api('/api/v1/applications?project=default');
  expect(status, JSON.stringify(body)).toBe(200);

  for (const [index, [, field]] of poisons().entries()) {
    await eventually(async () => {
      const { conditions = [] } = (await world.app(`poisoned-${index}`)).status ?? {};
      const plain = conditions.map(({ message }) => message.replaceAll(/\[(\d+)\]/g, '.$1')).join('\n');
      expect(plain, `${index}: ${field}`).toContain(`${field}: `);
    }, 60_000);
  }
  for (const index of [0, 1, 3, 9, 10]) {
    await world.client.delete(refTo('Application', `poisoned-${index}`, 'argocd'));
    await eventually(
      async () => expect(await world.get(refTo('Application', `poisoned-${index}`, 'argocd'))).toBeUndefined(),
      60_000,
    );
  }
}, 240_000);
