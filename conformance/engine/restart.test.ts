import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world.stop());

const map = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {key: "${value}"}\n`;

it('does nothing anew after a restart, and catches up with what happened meanwhile', async () => {
  const repo = await world.repository('demo/restart');
  const first = await repo.push({ 'still/map.yaml': map('1'), 'moved/map.yaml': map('1') });
  for (const name of ['still', 'moved']) {
    await world.application(name, {
      project: 'default',
      source: { repoURL: repo.url, path: name, targetRevision: 'main' },
      destination: { name: 'in-cluster', namespace: name },
      syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
    });
  }
  const isAt = (name: string, revision: string) =>
    eventually(async () => {
      const { status } = await world.app(name);
      expect(status?.sync).toMatchObject({ status: 'Synced', revision });
      expect(status?.operationState?.phase).toBe('Succeeded');
      return status;
    });
  const before = await isAt('still', first);
  await isAt('moved', first);

  let second = '';
  await world.whileEngineIsAway(async () => {
    second = await repo.push({ 'moved/map.yaml': map('2') });
  });
  const moved = await isAt('moved', second);
  expect(moved?.history?.map(({ revision }) => revision)).toEqual([first, second]);
  const still = await isAt('still', second);
  expect(still?.operationState).toEqual(before?.operationState);
  expect(still?.history).toEqual(before?.history);
});
