import { assertionHeader, runtimeIdentitySecret } from '@fairlead/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let repository: Repository;
const id = { runtime: 'hosted', namespace: 'argocd', name: 'guestbook' };

const configMap = (greeting: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: greeting\ndata:\n  text: ${greeting}\n`;
const secret = (value: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: hidden\nstringData:\n  password: ${value}\n`;

beforeAll(async () => {
  house = await startHouse();
  await house.startRuntime();
  repository = await house.world.repository('demo/guestbook');
  await repository.push({ 'app/greeting.yaml': configMap('hello'), 'app/hidden.yaml': secret('swordfish') }, 'first');
  await house.world.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'guestbook' } });
}, 60_000);
afterAll(() => house?.stop());

const detail = () => house.platform.api.call('getApplication', { params: id });
const resource = (kind: string, name: string) =>
  house.platform.api.call('getApplicationResource', {
    params: id,
    query: { kind, namespace: 'guestbook', resource: name },
  });
const spec = () => ({
  project: 'default',
  source: { repoURL: repository.url, path: 'app', targetRevision: 'main' },
  destination: { server: 'https://kubernetes.default.svc', namespace: 'guestbook' },
});

describe('a runtime', () => {
  it('waits unregistered, then registers and connects by itself', async () => {
    for (const url of [house.urls.appProxy, house.urls.tunnelClient]) {
      expect((await fetch(`${url}/readyz`)).status).toBe(503);
    }
    await registerHosted(house);
    const runtime = await eventually(async () => {
      const row = await house.platform.api.call('getRuntime', { params: { runtime: 'hosted' } });
      expect(row.status).toBe('connected');
      expect(row.report?.components.map(({ name, health }) => [name, health])).toEqual([
        ['cluster', 'Healthy'],
        ['engine', 'Healthy'],
        ['source-server', 'Healthy'],
        ['app-proxy', 'Healthy'],
        ['request-router', 'Healthy'],
        ['tunnel-client', 'Healthy'],
        ['application-reporter', 'Healthy'],
      ]);
      expect(row.report?.components.filter(({ version, role }) => !version || !role)).toEqual([]);
      return row;
    });
    expect(runtime.report?.clusters).toMatchObject([{ name: 'in-cluster', status: 'Successful' }]);
    for (const url of [house.urls.appProxy, house.urls.tunnelClient]) {
      await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
    }
  });

  it('registers once: asking again gives the same identity', async () => {
    const ref = { group: '', version: 'v1', kind: 'Secret', namespace: 'fairlead', name: runtimeIdentitySecret };
    const before = await house.world.get(ref);
    const { registerRuntime } = await import('@fairlead/runtime');
    await registerRuntime({ client: house.world.client, platformUrl: house.platform.url, installToken: 'not-needed' });
    expect((await house.world.get(ref))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
    expect(await house.world.get({ ...ref, name: `${runtimeIdentitySecret}-pending` })).toBeUndefined();
  });
});

describe('the way of a change', () => {
  it('brings an application to the platform with tree, manifests and commit', async () => {
    await house.world.application('guestbook', spec());
    const { row, report } = await eventually(async () => {
      const found = await detail();
      expect(found.row.sync.status).toBe('OutOfSync');
      expect(found.report.resources).toHaveLength(2);
      return found;
    });
    expect(row.commit).toMatchObject({ message: expect.stringContaining('first') });
    expect(report.resources.every(({ desired }) => desired !== undefined)).toBe(true);
    await eventually(async () => {
      expect(await resource('ConfigMap', 'greeting')).toMatchObject({ desired: { data: { text: 'hello' } } });
    });
  });

  it('never shows the value of a Secret', async () => {
    const shown = JSON.stringify(await resource('Secret', 'hidden'));
    expect(shown).toContain('password');
    expect(shown).not.toContain('swordfish');
    expect(shown).not.toContain(Buffer.from('swordfish').toString('base64'));
  });
});

describe('the way of an act', () => {
  it('synchronises through tunnel, router, app-proxy and engine, and the result comes back as a change', async () => {
    const receipt = await house.platform.api.call('syncApplication', { params: id, body: {} });
    expect(receipt).toEqual({ accepted: true, message: 'sync of guestbook started' });
    await eventually(async () => {
      const { row } = await detail();
      expect(row).toMatchObject({ sync: { status: 'Synced' }, operation: { phase: 'Succeeded' } });
    });
    const live = await resource('ConfigMap', 'greeting');
    expect(live).toMatchObject({ live: { data: { text: 'hello' } } });
  });

  it('brings the engine’s refusal back in its own words', async () => {
    const asked = house.platform.api.call('terminateOperation', { params: id });
    await expect(asked).rejects.toMatchObject({
      status: expect.any(Number),
      message: expect.stringMatching(/operation/i),
    });
  });

  it('is refused by the app-proxy without a word of the platform, and with a forged one', async () => {
    const url = `${house.urls.router}/app-proxy/api/v1/applications/argocd/guestbook/sync`;
    for (const headers of [{}, { [assertionHeader]: 'eyJhbGciOiJub25lIn0.e30.' }]) {
      const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'not_signed_in']);
    }
  });
});

describe('a gap', () => {
  it('loses nothing: what changed and what was deleted while the reporter was away arrives after it is back', async () => {
    await house.world.application('doomed', spec());
    await eventually(() => house.platform.api.call('getApplication', { params: { ...id, name: 'doomed' } }));
    await house.stopRuntime();
    await house.world.client.delete({
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      namespace: 'argocd',
      name: 'doomed',
    });
    const revision = await repository.push({ 'app/greeting.yaml': configMap('changed in the gap') });
    await eventually(async () => {
      expect((await house.world.app('guestbook')).status?.sync).toMatchObject({ status: 'OutOfSync', revision });
    });
    await house.startRuntime();
    await eventually(async () => {
      expect((await detail()).row.sync).toMatchObject({ status: 'OutOfSync', revision });
      const gone = house.platform.api.call('getApplication', { params: { ...id, name: 'doomed' } });
      await expect(gone).rejects.toMatchObject({ status: 404 });
    });
  });

  it('of the platform’s database is bridged: what happened meanwhile arrives', async () => {
    await house.platform.postgres.kill();
    const revision = await repository.push({ 'app/greeting.yaml': configMap('while the database was away') });
    await eventually(async () => {
      expect((await house.world.app('guestbook')).status?.sync?.revision).toBe(revision);
    });
    await house.platform.postgres.revive();
    await eventually(async () => expect((await detail()).row.sync.revision).toBe(revision), 30_000);
  });
});
