// Many clusters: two embedded ones and addresses where nobody is.
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { isNotFound, KubeClient, loadKubeconfig, valueAt } from '@fairlead/kube';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type Repository, startWorld, type World } from './world.ts';

let world: World;
let repo: Repository;
let other: RunningCluster;
let otherClient: KubeClient;

beforeAll(async () => {
  world = await startWorld();
  repo = await world.repository('demo/clusters');
  other = await startCluster();
  otherClient = new KubeClient(await loadKubeconfig(other.kubeconfig));
  await repo.push({ 'app/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {key: "1"}\n' });
}, 60_000);
afterAll(async () => {
  await otherClient.close();
  await other.stop();
  await world.stop();
});

const base64 = (text: string | undefined) => Buffer.from(text ?? '').toString('base64');
const send = (method: string, path: string, body: object) => world.api(path, { method, body: JSON.stringify(body) });
async function connection() {
  const { server, ca, clientCertificate, clientKey, token } = await loadKubeconfig(other.kubeconfig);
  const tlsClientConfig = {
    ...(ca ? { caData: base64(ca) } : { insecure: false }),
    ...(clientCertificate ? { certData: base64(clientCertificate), keyData: base64(clientKey) } : {}),
  };
  return { server, config: { ...(token ? { bearerToken: token } : {}), tlsClientConfig } };
}
const spec = (destination: object) => ({
  project: 'default',
  source: { repoURL: repo.url, path: 'app', targetRevision: 'main' },
  destination: { namespace: 'there', ...destination },
  syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
});
const mapRef = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'there', name: 'm' };
const isSynced = (name: string) =>
  eventually(async () => {
    const { status } = await world.app(name);
    expect(status?.conditions ?? []).toEqual([]);
    expect(status?.sync?.status).toBe('Synced');
    expect(status?.health?.status).toBe('Healthy');
  });
const cluster = async (name: string) =>
  (await world.api(`/api/v1/clusters/${name}?id.type=name`)).body as Record<string, unknown>;

it('deploys to a registered cluster, by name and by server, and heals there', async () => {
  await world.application('by-name', spec({ name: 'other' }));
  await eventually(async () =>
    expect((await world.app('by-name')).status?.conditions).toMatchObject([
      {
        type: 'InvalidSpecError',
        message: expect.stringContaining('spec.destination.name: cluster other is not known'),
      },
    ]),
  );
  const { server, config } = await connection();
  expect((await send('POST', '/api/v1/clusters', { name: 'other', server, config })).status).toBe(200);
  await isSynced('by-name');
  expect(await otherClient.get(mapRef)).toBeDefined();
  expect(await world.get(mapRef)).toBeUndefined();
  await otherClient.patch(mapRef, { data: { key: 'changed' } }, { type: 'merge' });
  await eventually(async () => expect(valueAt(await otherClient.get(mapRef), 'data', 'key')).toBe('1'));
  expect(await cluster('other')).toMatchObject({
    server,
    connectionState: { status: 'Successful' },
    serverVersion: expect.stringMatching(/^\d+\.\d+$/),
    info: { applicationsCount: 1, cacheInfo: { apisCount: expect.any(Number) } },
  });
});

it('never tells credentials', async () => {
  const { body } = await world.api('/api/v1/clusters');
  expect(JSON.stringify(body)).not.toMatch(/bearerToken|keyData|certData/);
});

it('a cluster that is not there shows as Failed with its reason and harms no other', async () => {
  const body = { name: 'gone', server: 'https://127.0.0.1:9', config: { bearerToken: 'x' } };
  expect((await send('POST', '/api/v1/clusters', body)).status).toBe(200);
  await world.application('nowhere', spec({ name: 'gone' }));
  await eventually(
    async () =>
      expect((await world.app('nowhere')).status).toMatchObject({
        sync: { status: 'Unknown' },
        conditions: [
          { type: 'ComparisonError', message: expect.stringMatching(/cluster gone .* cannot be reached: ./) },
        ],
      }),
    30_000,
  );
  expect(await cluster('gone')).toMatchObject({
    connectionState: { status: 'Failed', message: expect.stringMatching(/./) },
  });
  await world.application('here', spec({ name: 'in-cluster' }));
  await isSynced('here');
}, 60_000);

it('says what is wrong with a cluster Secret', async () => {
  const config = { execProviderConfig: { command: 'aws' } };
  await send('POST', '/api/v1/clusters', { name: 'exec', server: 'https://exec.example.com', config });
  await eventually(async () =>
    expect(await cluster('exec')).toMatchObject({
      connectionState: { status: 'Failed', message: expect.stringContaining('config.execProviderConfig') },
    }),
  );
});

it('removing a cluster leaves applications and what they deployed alone', async () => {
  expect((await world.api('/api/v1/clusters/other?id.type=name', { method: 'DELETE' })).status).toBe(200);
  await eventually(async () =>
    expect((await world.app('by-name')).status?.conditions).toMatchObject([{ type: 'InvalidSpecError' }]),
  );
  expect(
    await otherClient.get(mapRef).catch((error: unknown) => (isNotFound(error) ? undefined : error)),
  ).toBeDefined();
  expect((await world.api('/api/v1/clusters/other?id.type=name')).status).toBe(404);
});
