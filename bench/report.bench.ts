// From a change of an Application in the cluster to the platform's live feed: how fresh the platform is at a steady rate,
// and what floods do. The first flood is offered at 2,000 changes a second by a watch source (watch-source.ts); the others by the
// embedded cluster, as fast as it takes them, the last twice as long. Cluster, watch source, reporter, platform and PostgreSQL
// have processes of their own; the engine (a small HTTP server) and the generator share the bench's. All share the machine: what
// each side spends tells which of them bounds a flood.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, listen, mapLimit, sleep } from '@fairlead/base';
import { type ApiClient, applicationCrd, createApiClient, type LiveMessage } from '@fairlead/contracts';
import { KubeClient, type KubeObject, loadKubeconfig } from '@fairlead/kube';
import { registerRuntime } from '@fairlead/runtime';
import { spawnRole } from '../conformance/role-process.ts';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { type BenchContext, percentile, type Result } from './report.ts';
import {
  application,
  applications,
  changeOf,
  engineNamespace,
  nameOf,
  numbers,
  revisionOf,
  statusOf,
} from './report-changes.ts';
import { type FloodSource, type FloodWorld, flood, one, until } from './report-flood.ts';
import type { Order, Played } from './watch-source.ts';

const changesPerSecond = 50;
const steadyMs = 20_000;
const floodChanges = 20_000;
/** A little more than the 2,000 of the goal, which the last tick would miss by a millisecond. */
const floodRate = 2_010;
/** A change that finds them busy waits its turn; connections opened in a hurry would wait for one another. */
const generatorConnections = 32;
/** Left to itself V8 lets garbage lie on a machine with much memory; what is held shows when it may not. */
const reporterHeapMiB = 96;
/** `BENCH_PROFILE_DIR=DIR`: CPU profiles of the reporters are left there. */
const profileDir = process.env['BENCH_PROFILE_DIR'];

export async function measure({ say }: BenchContext): Promise<Result[]> {
  return [...(await offered(say)), ...(await embedded(say))];
}

async function offered(say: BenchContext['say']): Promise<Result[]> {
  return inWorld(offeredSource, async (world) => {
    say(`floods of ${floodChanges} and ${2 * floodChanges} changes at ${floodRate} a second`);
    const first = await flood(world, { changes: floodChanges, base: 1_000_000, epochMs: Date.now() });
    const longer = { changes: 2 * floodChanges, base: 2_000_000, epochMs: Date.now() + 1e9 };
    const again = await flood(world, longer);
    return [...named('flood', first), ...named('flood, twice as long', again)];
  });
}

async function embedded(say: BenchContext['say']): Promise<Result[]> {
  return inWorld(embeddedSource, async (world, client) => {
    say(`${changesPerSecond} changes a second for ${steadyMs / 1000} s`);
    const fresh = await steady(world.platform, client);
    say(`a flood of ${floodChanges} changes through the embedded cluster`);
    const flooded = await flood(world, { changes: floodChanges, base: 1_000_000, epochMs: Date.now() });
    return [...fresh, ...named('flood through the embedded cluster', flooded)];
  });
}

const named = (prefix: string, results: readonly Result[]) =>
  results.map((each) => ({ ...each, metric: `${prefix}: ${each.metric}` }));

interface Ground {
  readonly client: KubeClient;
  readonly cluster: ChildProcess;
  /** Of the embedded cluster; a source may give the reporter another one. */
  readonly kubeconfigFile: string;
}

interface StartedSource extends FloodSource {
  /** For the reporter. */
  readonly kubeconfigFile: string;
  stop(): Promise<void>;
}

async function inWorld(
  startSource: (ground: Ground) => Promise<StartedSource>,
  measureIn: (world: FloodWorld, client: KubeClient) => Promise<Result[]>,
): Promise<Result[]> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-report-'));
  const platform = await startPlatformProcess();
  const ground = await startGround(dir);
  const { client, cluster } = ground;
  const api = createApiClient({
    baseUrl: platform.url,
    headers: () => ({ authorization: `Bearer ${platform.apiKey}` }),
  });
  const { installToken } = await api.call('createRuntime', { body: { name: 'bench', kind: 'hybrid' } });
  await registerRuntime({ client, platformUrl: platform.url, installToken });
  const source = await startSource(ground);
  const reporting = await startReporter(dir, source.kubeconfigFile);
  try {
    await until(async () => (await matched(api)) === applications);
    return await measureIn({ api, platform, source, ...reporting }, client);
  } finally {
    await reporting.stop();
    await source.stop();
    await client.close();
    await end(cluster);
    await platform.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function startGround(dir: string): Promise<Ground> {
  const kubeconfigFile = join(dir, 'kubeconfig');
  const cluster = spawnRole('cluster', ['--cluster-dir', join(dir, 'cluster'), '--kubeconfig-file', kubeconfigFile]);
  await until(async () => existsSync(kubeconfigFile));
  const client = new KubeClient(await loadKubeconfig(kubeconfigFile), { maxConnections: generatorConnections });
  for (const name of [engineNamespace, 'fairlead']) {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  await client.create(applicationCrd as unknown as KubeObject); // the CRD is written as data
  return { client, cluster, kubeconfigFile };
}

async function startReporter(dir: string, kubeconfigFile: string) {
  const tokenFile = join(dir, 'token');
  writeFileSync(tokenFile, 'token');
  const engine = await listen(createServer(engineAnswer), { port: 0 });
  const metricsPort = await freePort();
  const flags = [
    ...['--kubeconfig-file', kubeconfigFile, '--engine-url', `http://127.0.0.1:${engine.port}`],
    ...['--engine-token-file', tokenFile, '--reporter-dir', join(dir, 'spool'), '--reporter-port', String(metricsPort)],
  ];
  const profiling = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : [];
  const nodeFlags = [`--max-old-space-size=${reporterHeapMiB}`, ...profiling];
  const reporter = spawnRole('application-reporter', flags, { nodeFlags });
  const stop = async () => {
    await end(reporter);
    await engine.close(0);
  };
  return { reporter, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, stop };
}

/** The embedded cluster itself, which takes changes as fast as it can. */
async function embeddedSource({ client, cluster, kubeconfigFile }: Ground): Promise<StartedSource> {
  await mapLimit(numbers(applications), 16, (n) => client.create(application(n)));
  return {
    ...{ name: 'cluster', pids: [cluster.pid ?? 0], kubeconfigFile },
    // The changes of one application go one after the other.
    async offer(given) {
      const startedMs = performance.now();
      await mapLimit(numbers(applications), 64, async (n) => {
        for (let index = n; index < given.changes; index += applications) {
          await client.patch(ref(n), { status: changeOf(given, index).status }, { type: 'merge' });
        }
      });
      return { seconds: (performance.now() - startedMs) / 1000, results: [] };
    },
    states: () => statesIn(client),
    stop: () => Promise.resolve(),
  };
}

const runner = fileURLToPath(new URL('../scripts/run-typescript.mjs', import.meta.url));
const sourceSide = fileURLToPath(new URL('./watch-source.ts', import.meta.url));

async function offeredSource({ cluster, kubeconfigFile: behind }: Ground): Promise<StartedSource> {
  const load = `import(${JSON.stringify(runner)}).then((it) => it.importTypeScript(${JSON.stringify(sourceSide)}))`;
  const child = spawn(process.execPath, ['-e', load], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const order = <T>(given: Order): Promise<T> => {
    const told = new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T))); // the source's own words
    child.send(given);
    return told;
  };
  const url = await order<string>({ kubeconfigFile: behind });
  const kubeconfigFile = `${behind}-of-the-source`;
  writeFileSync(kubeconfigFile, kubeconfigOf(url));
  const client = new KubeClient(await loadKubeconfig(kubeconfigFile));
  return {
    ...{ name: 'watch source and the cluster behind it', pids: [child.pid ?? 0, cluster.pid ?? 0], kubeconfigFile },
    rateGoal: '>= 2000',
    async offer(given) {
      const { seconds, mostWaitingBytes } = await order<Played>({ flood: given, rate: floodRate });
      const waited = 'events that waited for the reporter to read them, at their most';
      return { seconds, results: [one(waited, 'KiB', mostWaitingBytes / 1024)] };
    },
    states: () => statesIn(client),
    async stop() {
      await client.close();
      await end(child);
    },
  };
}

const kubeconfigOf = (server: string) =>
  JSON.stringify({
    'current-context': 'source',
    contexts: [{ name: 'source', context: { cluster: 'source', user: 'bench' } }],
    clusters: [{ name: 'source', cluster: { server } }],
    users: [{ name: 'bench', user: {} }],
  });

async function statesIn(client: KubeClient): Promise<readonly KubeObject[]> {
  const query = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', namespace: engineNamespace };
  return (await client.list(query)).items;
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

const engineAnswer: Parameters<typeof createServer>[1] = (request, response) => {
  const isVersion = request.url?.startsWith('/api/version');
  response.end(JSON.stringify(isVersion ? { Version: 'v3.2.0' } : { nodes: [], items: [] }));
};

const ref = (n: number) => ({
  ...{ group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: engineNamespace, name: nameOf(n) },
});

const matched = async (api: ApiClient) => (await api.call('listApplications', { query: { limit: 1 } })).matched;

async function steady(platform: PlatformProcess, client: KubeClient): Promise<Result[]> {
  const sentMs = new Map<string, number>();
  const takenMs: number[] = [];
  const leaving = new AbortController();
  const feed = follow(platform, leaving.signal, (revision) => {
    const startedMs = sentMs.get(revision);
    if (startedMs === undefined) return;
    sentMs.delete(revision);
    takenMs.push(performance.now() - startedMs);
  });
  const count = (changesPerSecond * steadyMs) / 1000;
  const startedMs = performance.now();
  const changes = numbers(count).map(async (change) => {
    await sleep((change * 1000) / changesPerSecond);
    sentMs.set(revisionOf(change + 1), performance.now());
    await client.patch(ref(change % applications), { status: statusOf(change + 1) }, { type: 'merge' });
  });
  await Promise.all(changes);
  const seconds = (performance.now() - startedMs) / 1000;
  await until(async () => sentMs.size === 0, 10_000).catch(() => undefined); // what is missing is told below
  leaving.abort();
  await feed;
  const spread = [percentile(takenMs, 0.5), Math.max(...takenMs)] as const;
  return [
    one('rate of changes', 'changes/s', count / seconds),
    {
      metric: 'change to live feed, p99 (p50–max)',
      unit: 'ms',
      value: percentile(takenMs, 0.99),
      spread,
      goal: '<= 1000',
    },
    one('changes never seen', 'changes', sentMs.size, '<= 0'),
  ];
}

/** Revisions of rows as the live feed tells them. */
async function follow(platform: PlatformProcess, signal: AbortSignal, seen: (revision: string) => void): Promise<void> {
  const headers = { authorization: `Bearer ${platform.apiKey}` };
  const answer = await fetch(`${platform.url}/api/v1/live`, { headers, signal });
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of answer.body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data:')) continue;
        const message = JSON.parse(line.slice('data:'.length)) as LiveMessage;
        if (message.type === 'application' && message.row.sync.revision) seen(message.row.sync.revision);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
