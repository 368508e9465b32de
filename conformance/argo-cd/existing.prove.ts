// A runtime beside a real Argo CD: the same acts as in conformance/runtime/existing-argo-cd.test.ts, where our engine stands
// behind Argo CD's paths. Needs the programs of real-argo-cd.ts; says so when they are not there.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { findEngine } from '@fairlead/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository } from '../engine/world.ts';
import { defineForeignActs, foreignParams } from '../runtime/foreign-acts.ts';
import { comeTo, defineForeignStay, startChangeRevision } from '../runtime/foreign-stay.ts';
import { type House, startHouse } from '../runtime/world.ts';
import { programs, type RealArgoCd, startRealArgoCd } from './real-argo-cd.ts';

const given = programs();
if (!given) console.info('not run: ARGOCD, ARGOCD_MANIFESTS and REDIS_SERVER do not name an Argo CD');

describe.runIf(given)('a runtime beside a real Argo CD', () => {
  let dir = '';
  let cluster: RunningCluster;
  let argo: RealArgoCd;
  let house: House;
  let repository: Repository;
  let before: readonly string[] = [];

  beforeAll(async () => {
    if (!given) return;
    dir = await mkdtemp(join(tmpdir(), 'beside-argo-cd-'));
    cluster = await startCluster({});
    const kubeconfig = join(dir, 'kubeconfig');
    await writeFile(kubeconfig, cluster.kubeconfig);
    argo = await startRealArgoCd(given, kubeconfig);
    const enginePasswordFile = join(dir, 'password');
    await writeFile(enginePasswordFile, `${argo.password}\n`);
    house = await startHouse({
      world: { kubeconfig, engine: argo },
      engine: () => Promise.resolve({ engineUrl: argo.url, engineUser: 'admin', enginePasswordFile }),
    });
    ({ repository, before } = await comeTo(house));
  }, 300_000);
  afterAll(async () => {
    await house?.stop();
    await argo?.stop();
    await cluster?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('finds the API server by the labels that its own manifests give it, not the Service of its metrics', async () => {
    const found = await findEngine(house.world.client, { namespace: 'argocd' });
    expect(found.url).toBe('https://argocd-server.argocd.svc:443');
  });

  defineForeignActs(() => ({ house, repository, version: argo.version }));

  it('writes no change revision unless told to, and never where its definitions would drop it', async () => {
    const controller = await startChangeRevision(house, 'auto');
    await house.platform.api.call('syncApplication', { params: foreignParams, body: {} });
    const settled = async () =>
      expect((await house.world.app('theirs')).status?.operationState?.phase).toBe('Succeeded');
    await eventually(settled, 60_000);
    await controller.stop();
    const { metadata, status } = await house.world.app('theirs');
    expect(metadata.annotations ?? {}).not.toHaveProperty('fairlead.io/change-revision');
    expect(status?.operationState?.operation.sync ?? {}).not.toHaveProperty('changeRevision');
  });

  defineForeignStay(() => ({ house, repository, before }));
});
