// A runtime beside an Argo CD that is there already and belongs to others: everything goes through that one's REST API and
// the Kubernetes API, by a password, and works as with an engine of the runtime's own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository } from '../engine/world.ts';
import { defineForeignActs, foreignParams as params } from './foreign-acts.ts';
import { type ForeignArgoCd, startForeignArgoCd } from './foreign-argo-cd.ts';
import { comeTo, defineForeignStay } from './foreign-stay.ts';
import { type House, startHouse } from './world.ts';

let house: House;
let argo: ForeignArgoCd;
let repository: Repository;
/** The cluster before the runtime came. */
let before: readonly string[] = [];
beforeAll(async () => {
  house = await startHouse({
    engine: async (world) => {
      argo = await startForeignArgoCd({ url: world.engineUrl, token: 'test-key' });
      const enginePasswordFile = join(world.dir, 'password');
      await writeFile(enginePasswordFile, `${argo.password}\n`);
      return { engineUrl: argo.url, engineUser: 'fairlead', enginePasswordFile };
    },
  });
  ({ repository, before } = await comeTo(house));
}, 180_000);
afterAll(async () => {
  await house?.stop();
  await argo?.stop();
});

const api = () => house.platform.api;

describe('with an Argo CD of others', () => {
  defineForeignActs(() => ({ house, repository, version: argo.version }));

  it('a session that is over is opened anew, once for all who wait', async () => {
    const before = argo.sessions;
    argo.endSessions();
    await Promise.all(Array.from({ length: 8 }, () => api().call('refreshApplication', { params, body: {} })));
    expect(argo.sessions - before).toBeGreaterThan(0);
    expect(argo.sessions - before).toBeLessThanOrEqual(2); // one of the app-proxy, one of the reporter
  });

  it('nothing was asked for that Argo CD does not have', () => {
    expect(argo.strange).toEqual([]);
    expect(new Set(argo.calls).size).toBeGreaterThan(10);
  });

  it('of an older line is shown as not supported, with what to do', async () => {
    argo.version = 'v2.14.20+0a1b2c3';
    await eventually(async () => {
      const { report } = await api().call('getRuntime', { params: { runtime: 'hosted' } });
      const engine = report?.components.find(({ name }) => name === 'engine');
      expect(engine).toMatchObject({ health: 'Degraded', message: expect.stringContaining('3.x is needed') });
    }, 30_000);
  });
});

describe('the stay of a runtime', () => {
  defineForeignStay(() => ({ house, repository, before }));
});

describe('the API server of an Argo CD', () => {
  it('is found by the labels of its Service, with root path and certificate', async () => {
    const { findEngine } = await import('@fairlead/runtime');
    const { client } = house.world;
    const find = (namespace?: string) => findEngine(client, { namespace });
    await expect(find('argocd')).rejects.toThrow('set engineUrl');
    const service = (namespace: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'argocd-server',
        namespace,
        labels: { 'app.kubernetes.io/component': 'server', 'app.kubernetes.io/part-of': 'argocd' },
      },
      spec: {
        ports: [
          { name: 'http', port: 80 },
          { name: 'https', port: 443 },
        ],
      },
    });
    await client.create(service('argocd'));
    const metrics = { metadata: { ...service('argocd').metadata, name: 'argocd-server-metrics' } };
    await client.create({ ...service('argocd'), ...metrics, spec: { ports: [{ name: 'metrics', port: 8083 }] } });
    expect(await find('argocd')).toEqual({ url: 'https://argocd-server.argocd.svc:443' });
    const certificate = Buffer.from('CERTIFICATE').toString('base64');
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'argocd-server-tls', namespace: 'argocd' } };
    await client.create({ ...secret, data: { 'tls.crt': certificate } });
    expect(await find()).toEqual({ url: 'https://argocd-server.argocd.svc:443', ca: 'CERTIFICATE' });
    const settings = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cmd-params-cm', namespace: 'argocd' },
    };
    await client.create({ ...settings, data: { 'server.insecure': 'true', 'server.rootpath': '/argo/' } });
    expect(await find()).toEqual({ url: 'http://argocd-server.argocd.svc:80/argo' });
    await client.create(service('default'));
    await expect(find()).rejects.toThrow(
      'several API servers of Argo CD (argocd/argocd-server, default/argocd-server)',
    );
  });
});
