// Our scenarios told by the real Argo CD, on the embedded cluster: what we expect of our engine is what Argo CD does, and
// the cluster is one that Argo CD believes. Needs the programs of real-argo-cd.ts; says so when they are not there.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { afterAll, beforeAll, describe } from 'vitest';
import { definePlays, type Stage } from '../engine/scenarios/index.ts';
import { startWorld, type World } from '../engine/world.ts';
import { programs, type RealArgoCd, startRealArgoCd } from './real-argo-cd.ts';

const given = programs();
if (!given) console.info('not run: ARGOCD, ARGOCD_MANIFESTS and REDIS_SERVER do not name an Argo CD');

describe.runIf(given)('Argo CD itself', () => {
  let dir = '';
  let cluster: RunningCluster;
  let argo: RealArgoCd;
  let world: World;
  let stage: Stage;

  beforeAll(async () => {
    if (!given) return;
    dir = await mkdtemp(join(tmpdir(), 'argo-cd-scenarios-'));
    cluster = await startCluster({});
    const kubeconfig = join(dir, 'kubeconfig');
    await writeFile(kubeconfig, cluster.kubeconfig);
    argo = await startRealArgoCd(given, kubeconfig);
    console.info(`Argo CD ${argo.version} on the embedded cluster`);
    world = await startWorld({ kubeconfig, engine: argo });
    stage = { ...world, engineNamespace: 'argocd', runsPods: true, isOurEngine: false, patienceMs: 120_000 };
  }, 180_000);
  afterAll(async () => {
    await world?.stop();
    await argo?.stop();
    await cluster?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  definePlays(() => stage, { isKept: false, timeoutMs: 240_000 });
});
