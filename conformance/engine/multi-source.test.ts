// One application from two repositories.
import { valueAt } from '@fairlead/kube';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type Repository, startWorld, type World } from './world.ts';

let world: World;
let code: Repository;
let settings: Repository;

beforeAll(async () => {
  world = await startWorld();
  code = await world.repository('demo/code');
  settings = await world.repository('demo/settings');
}, 60_000);
afterAll(() => world.stop());

const map = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {key: "${value}"}\n`;
const configMap = (name: string) => ({ group: '', version: 'v1', kind: 'ConfigMap', namespace: 'several', name });
const isAt = (revisions: string[]) =>
  eventually(async () => {
    const { status } = await world.app('several');
    expect(status?.sync).toMatchObject({ status: 'Synced', revisions });
    expect(status?.operationState?.phase).toBe('Succeeded');
    return status;
  });

it('merges the sources, follows each, and records all revisions', async () => {
  const first = await code.push({ 'app/a.yaml': map('a', '1') });
  const second = await settings.push({ 'app/b.yaml': map('b', '1') });
  await world.application('several', {
    project: 'default',
    sources: [
      { repoURL: code.url, path: 'app', targetRevision: 'main' },
      { repoURL: settings.url, path: 'app', targetRevision: 'main' },
      { repoURL: settings.url, targetRevision: 'main', ref: 'values' },
    ],
    destination: { name: 'in-cluster', namespace: 'several' },
    syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
  });
  const status = await isAt([first, second, second]);
  expect(status?.history).toMatchObject([{ revisions: [first, second, second], sources: [{}, {}, { ref: 'values' }] }]);
  expect(status?.sync?.revision).toBeUndefined();
  const third = await settings.push({ 'app/b.yaml': map('b', '2') });
  await isAt([first, third, third]);
  expect(valueAt(await world.get(configMap('b')), 'data', 'key')).toBe('2');
  const manifests = await world.api('/api/v1/applications/several/manifests');
  expect(manifests.body).toMatchObject({ revisions: [first, third, third] });
});

it('one source that fails forbids everything, above all to prune', async () => {
  await settings.push({ 'app/b.yaml': 'apiVersion: v1\nkind: [\nmetadata:\n' });
  await eventually(async () =>
    expect((await world.app('several')).status).toMatchObject({
      sync: { status: 'Unknown' },
      conditions: [{ type: 'ComparisonError' }],
    }),
  );
  expect(await world.get(configMap('a'))).toBeDefined();
  expect(await world.get(configMap('b'))).toBeDefined();
});

it('goes back to an entry of the history, all sources together', async () => {
  await settings.push({ 'app/b.yaml': map('b', '3') });
  await eventually(async () => expect(valueAt(await world.get(configMap('b')), 'data', 'key')).toBe('3'));
  const patch = JSON.stringify({ spec: { syncPolicy: { automated: null } } });
  await world.api('/api/v1/applications/several', {
    method: 'PATCH',
    body: JSON.stringify({ patchType: 'merge', patch }),
  });
  await eventually(async () => {
    const { status } = await world.api('/api/v1/applications/several/rollback', { method: 'POST', body: '{"id":0}' });
    expect(status).toBe(200);
  });
  await eventually(async () => expect(valueAt(await world.get(configMap('b')), 'data', 'key')).toBe('1'));
});
