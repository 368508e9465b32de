// ApplicationSets from folders of a repository.
import { isNotFound, type KubeObject, listAt } from '@fairlead/kube';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type Repository, startWorld, type World } from './world.ts';

let world: World;
let repo: Repository;

beforeAll(async () => {
  world = await startWorld();
  repo = await world.repository('demo/sets');
}, 60_000);
afterAll(() => world.stop());

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {key: "1"}\n';
const setRef = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind: 'ApplicationSet',
  namespace: 'argocd',
  name: 'folders',
};
const isSynced = (name: string) =>
  eventually(async () => expect((await world.app(name)).status?.sync?.status).toBe('Synced'));
const isGone = (name: string) =>
  eventually(async () => {
    const found = await world.app(name).catch((error: unknown) => (isNotFound(error) ? undefined : error));
    expect(found).toBeUndefined();
  });

it('makes an application per folder, follows pushes, and deletes what goes', async () => {
  await repo.push({ 'apps/one/m.yaml': map, 'apps/two/m.yaml': map, 'other/m.yaml': map });
  const set: KubeObject = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'folders', namespace: 'argocd' },
    spec: {
      generators: [{ git: { repoURL: repo.url, revision: 'main', directories: [{ path: 'apps/*' }] } }],
      template: {
        metadata: { name: 'set-{{path.basename}}', labels: { from: '{{path[0]}}' } },
        spec: {
          project: 'default',
          source: { repoURL: repo.url, path: '{{path}}', targetRevision: 'main' },
          destination: { name: 'in-cluster', namespace: '{{path.basename}}' },
          syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
        },
      },
    },
  };
  await world.client.create(set);
  await isSynced('set-one');
  await isSynced('set-two');
  expect((await world.app('set-one')).metadata.labels).toEqual({ from: 'apps' });
  await repo.push({ 'apps/three/m.yaml': map, 'apps/two/m.yaml': null });
  await isSynced('set-three');
  await isGone('set-two');
  const status = (await world.get(setRef))?.['status'];
  expect(listAt(status, 'conditions')).toContainEqual(
    expect.objectContaining({ type: 'ErrorOccurred', status: 'False' }),
  );
  expect((await world.api('/api/v1/applicationsets/folders')).body).toMatchObject({ metadata: { name: 'folders' } });
});

it('deletes nothing when a generator fails, and says why', async () => {
  const generators = [
    { git: { repoURL: 'http://127.0.0.1:9/a/b.git', revision: 'main', directories: [{ path: '*' }] } },
  ];
  await world.client.patch(setRef, { spec: { generators } }, { type: 'merge' });
  await eventually(async () => {
    const status = (await world.get(setRef))?.['status'];
    expect(listAt(status, 'conditions')).toContainEqual(
      expect.objectContaining({ type: 'ErrorOccurred', status: 'True', message: expect.stringContaining('127.0.0.1') }),
    );
  });
  expect((await world.app('set-one')).metadata.deletionTimestamp).toBeUndefined();
});
