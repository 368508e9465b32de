// P-SYN-6: one sync with hooks, waves and a prune, by an engine that dies at a given write and one that comes after it.
import { stringAt } from '@fairlead/kube';
import { expect } from 'vitest';
import type { FaultWorld } from './faults.ts';
import { configMap, hook, manifests, refTo, wave } from './scenarios/objects.ts';
import { eventually, type Repository } from './world.ts';
import { type Cut, deletesIn, madeIn, type Write } from './write-proxy.ts';

const once = { 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' };
const first = () => manifests(configMap('a'), configMap('b', '1', wave(1)), configMap('old'));
const second = () =>
  manifests(
    configMap('pre', '2', hook('PreSync', once)),
    configMap('a', '2'),
    configMap('b', '2', wave(1)),
    configMap('post', '2', hook('PostSync', once)),
  );

/** Checks that the end is the same as of a sync that nothing disturbs; gives back what the dying engine wrote. */
export async function killedAt(
  { world, engine, repo }: FaultWorld & { readonly repo: Repository },
  name: string,
  cut?: Cut,
): Promise<readonly Write[]> {
  const synced = (revision?: string) =>
    eventually(async () => {
      const { status } = await world.app(name);
      expect(status?.sync).toMatchObject({ status: 'Synced', ...(revision ? { revision } : {}) });
      expect(status?.operationState?.phase).toBe('Succeeded');
      return status;
    }, 45_000);
  const get = (object: string) => world.get(refTo('ConfigMap', object, name));
  await repo.push({ [`${name}/all.yaml`]: first() });
  await world.application(name, {
    project: 'default',
    source: { repoURL: repo.url, path: name, targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: name },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
  });
  const before = await engine();
  await synced();
  await before.stop();
  const commit = await repo.push({ [`${name}/all.yaml`]: second() });
  const dying = await engine(cut);
  await (cut ? Promise.race([dying.proxy.dead, synced(commit)]) : synced(commit));
  await dying.stop();
  const after = await engine();
  const status = await synced(commit);
  await after.stop();
  const own = [...dying.proxy.writes, ...after.proxy.writes].filter(({ path }) => path.includes(`/${name}/`));
  expect(stringAt(await get('a'), 'data', 'key')).toBe('2');
  expect(stringAt(await get('b'), 'data', 'key')).toBe('2');
  expect(await get('old')).toBeUndefined();
  expect(await get('pre')).toBeUndefined();
  expect(madeIn(own, 'pre'), 'the PreSync hook ran once').toHaveLength(1);
  expect(madeIn(own, 'post'), 'the PostSync hook ran once').toHaveLength(1);
  expect(status?.history?.map(({ id }) => id)).toEqual([0, 1]);
  const gone = new Set(deletesIn(own).map(({ path }) => path.split('?')[0]?.split('/').at(-1)));
  expect([...gone].sort()).toEqual(['old', 'post', 'pre']);
  await world.client.delete(refTo('Application', name, 'argocd'));
  return dying.proxy.writes;
}
