import { afterAll, beforeAll, expect, it } from 'vitest';
import { credentials, eventually, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ withCredentials: false });
}, 60_000);
afterAll(() => world.stop());

it('says that a private repository needs credentials, and goes on by itself once they are there', async () => {
  const repo = await world.repository('demo/private');
  await repo.push({ 'app/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' });
  await world.application('private', {
    project: 'default',
    source: { repoURL: repo.url, path: 'app' },
    destination: { name: 'in-cluster', namespace: 'private' },
    syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
  });
  await eventually(async () => {
    const { status } = await world.app('private');
    const message = expect.stringContaining('asks for credentials and none are configured; add a repository Secret');
    expect(status?.conditions).toMatchObject([{ type: 'ComparisonError', message }]);
  });
  await world.client.create(credentials(world.gitUrl));
  await eventually(async () => expect((await world.app('private')).status?.sync?.status).toBe('Synced'));
});
