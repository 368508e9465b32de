// More applications than the reporter's queue holds, and faults while they change. The engine is a small HTTP server here:
// what is proved is that the reporter loses nothing, not what an engine computes.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lifecycle, listen, mapLimit, silentLogger } from '@fairlead/base';
import { startCluster } from '@fairlead/cluster';
import { applicationCrd } from '@fairlead/contracts';
import { KubeClient, type KubeObject, loadKubeconfig } from '@fairlead/kube';
import { startTestPlatform, type TestPlatform } from '@fairlead/platform/testing';
import { applicationReporterRole, registerRuntime } from '@fairlead/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byKubeconfig } from '../by-kubeconfig.ts';
import { eventually } from '../engine/world.ts';

const applications = 1_500;
const dir = mkdtempSync(join(tmpdir(), 'fairlead-many-'));
const kubeconfigFile = join(dir, 'kubeconfig');
const stops: (() => Promise<unknown>)[] = [];
let platform: TestPlatform;
let client: KubeClient;
let engineUrl = '';
const reporters: Lifecycle[] = [];

beforeAll(async () => {
  platform = await startTestPlatform();
  const cluster = await startCluster({ log: silentLogger });
  stops.push(
    () => platform.stop(),
    () => cluster.stop(),
  );
  writeFileSync(kubeconfigFile, cluster.kubeconfig);
  writeFileSync(join(dir, 'token'), 'token');
  client = new KubeClient(await loadKubeconfig(kubeconfigFile));
  for (const name of ['argocd', 'fairlead']) {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  await client.create(applicationCrd as unknown as KubeObject);
  const engine = createServer((request, response) => {
    const isVersion = request.url?.startsWith('/api/version');
    response.end(JSON.stringify(isVersion ? { Version: 'v3.2.0' } : { nodes: [], items: [] }));
  });
  const listening = await listen(engine, { port: 0 });
  stops.push(() => listening.close(0));
  engineUrl = `http://127.0.0.1:${listening.port}`;
  const { installToken } = await platform.api.call('createRuntime', { body: { name: 'many', kind: 'hybrid' } });
  await registerRuntime({ client, platformUrl: platform.url, installToken });
}, 60_000);
afterAll(async () => {
  await stopReporters();
  await client.close();
  for (const stop of stops) await stop();
});

/** Starts `count` reporters that share the applications; gives their metrics pages. */
async function startReporters(count: number): Promise<string[]> {
  const urls: string[] = [];
  for (let shard = 0; shard < count; shard++) {
    const lifecycle = new Lifecycle(silentLogger);
    reporters.push(lifecycle);
    const config = {
      kubeconfigFile,
      ...byKubeconfig,
      runtimeNamespace: 'fairlead',
      engineUrl,
      engineTokenFile: join(dir, 'token'),
      ...{ enginePasswordFile: undefined, engineUser: 'admin', engineCaFile: undefined },
      engineNamespace: 'argocd',
      reporterShards: count,
      reporterDir: undefined,
      reporterSpoolMiB: 16,
      announcingGitUrl: undefined,
      sourceServerUrl: undefined,
      reporterShard: shard,
      reporterPort: 0,
      appProxyUrl: undefined,
      routerUrl: undefined,
      ...{ tunnelClientUrl: undefined, resourceReporterUrl: undefined, changeRevisionUrl: undefined },
      embeddedCluster: false,
    };
    const { url = '' } = await applicationReporterRole.start(config, { log: silentLogger, lifecycle });
    urls.push(`${url}/metrics`);
  }
  return urls;
}

const stopReporters = () => Promise.all(reporters.splice(0).map((lifecycle) => lifecycle.stop()));

const application = (n: number): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: `app-${n}`, namespace: 'argocd' },
  spec: { project: 'default', destination: { namespace: 'x' }, source: { repoURL: 'https://git.example/x.git' } },
});
const ref = (n: number) => ({
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind: 'Application',
  namespace: 'argocd',
  name: `app-${n}`,
});
const all = Array.from({ length: applications }, (_, n) => n);
const total = async () => (await platform.api.call('listApplications', { query: { limit: 1 } })).matched;
const projectCount = async (project: string) =>
  (await platform.api.call('listApplications', { query: { limit: 1, project } })).matched;
const setProject = (numbers: number[], project: string) =>
  mapLimit(numbers, 32, (n) => client.patch(ref(n), { spec: { project } }, { type: 'merge' }));

describe('more applications than the queue holds', () => {
  it('all arrive; the overflow is counted, never dropped', async () => {
    await mapLimit(all, 32, (n) => client.create(application(n)));
    const [metricsUrl = ''] = await startReporters(1);
    await eventually(async () => expect(await total()).toBe(applications), 60_000);
    expect((await fetch(metricsUrl.replace('/metrics', '/readyz'))).status).toBe(200);
    const metrics = await (await fetch(metricsUrl)).text();
    expect(Number(/^fairlead_reporter_overflows_total\{.*\} (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
  }, 90_000);

  it('converge after changes and deletions while the database is away', async () => {
    await platform.postgres.kill();
    await setProject(all.slice(0, 1_200), 'changed');
    await mapLimit(all.slice(1_400), 32, (n) => client.delete(ref(n)));
    await platform.postgres.revive();
    await eventually(async () => {
      expect(await projectCount('changed')).toBe(1_200);
      expect(await total()).toBe(1_400);
    }, 60_000);
  }, 90_000);

  it('converge when one reporter becomes three and two, while applications change', async () => {
    for (const [round, count] of [3, 2].entries()) {
      const changing = setProject(all.slice(0, 600), `round-${round}`);
      await stopReporters();
      await startReporters(count);
      await changing;
      await eventually(async () => expect(await projectCount(`round-${round}`)).toBe(600), 60_000);
    }
    expect(await total()).toBe(1_400);
  }, 120_000);
});

describe('the epoch', () => {
  it('was taken by each reporter for itself, although several started at once', async () => {
    const name = 'fairlead-reporter-epoch';
    const stored = await client.get({ group: '', version: 'v1', kind: 'ConfigMap', namespace: 'fairlead', name });
    expect(stored['data']).toMatchObject({ epoch: String(1 + 3 + 2) });
  });
});
