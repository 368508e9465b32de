// From a change of an Application in the cluster to the platform's live feed: how fresh the platform is at a steady rate,
// and what a flood does to the reporter's queue, its memory and the truth. Cluster, reporter, platform and PostgreSQL have
// processes of their own; the engine (a small HTTP server) and the generator share the bench's. All share the machine: what
// each side spends on a change tells which of them bounds the flood. A second flood, twice as long, tells whether memory
// grows with what has passed.
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, mapLimit, sleep } from '@fairlead/base';
import { type ApiClient, applicationCrd, createApiClient, type LiveMessage } from '@fairlead/contracts';
import { KubeClient, type KubeObject, loadKubeconfig } from '@fairlead/kube';
import { registerRuntime } from '@fairlead/runtime';
import { spawnRole } from '../conformance/role-process.ts';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { costOf } from './processes.ts';
import { type BenchContext, percentile, type Result } from './report.ts';

const applications = 1_000;
const changesPerSecond = 50;
const steadyMs = 20_000;
const floodChanges = 20_000;
/** Every so many changes of the flood an operation ends; each of them must be told. */
const operationEvery = 100;
const drainWithinMs = 120_000;
/** A change that finds them busy waits its turn; connections opened in a hurry would wait for one another. */
const generatorConnections = 32;
/** Left to itself V8 lets garbage lie on a machine with much memory; what is held shows when it may not. */
const reporterHeapMiB = 96;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-report-'));
  const platform = await startPlatformProcess();
  const runtime = await startRuntime(dir, platform);
  try {
    say(`${applications} applications arrive`);
    await mapLimit(numbers(applications), 16, (n) => runtime.client.create(application(n)));
    await until(async () => (await matched(runtime.api)) === applications);
    say(`${changesPerSecond} changes a second for ${steadyMs / 1000} s`);
    const fresh = await steady(platform, runtime);
    say(`a flood of ${floodChanges} changes`);
    const flooded = await flood(runtime, platform, { changes: floodChanges, base: 1_000_000 });
    say(`a flood of ${2 * floodChanges} changes`);
    const again = await flood(runtime, platform, { changes: 2 * floodChanges, base: 2_000_000 });
    return [...fresh, ...flooded, ...again.map((each) => ({ ...each, metric: `twice as long: ${each.metric}` }))];
  } finally {
    await runtime.stop();
    await platform.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Runtime {
  readonly client: KubeClient;
  readonly api: ApiClient;
  readonly cluster: ChildProcess;
  readonly reporter: ChildProcess;
  readonly metricsUrl: string;
  stop(): Promise<void>;
}

async function startRuntime(dir: string, platform: PlatformProcess): Promise<Runtime> {
  const [kubeconfigFile, tokenFile] = [join(dir, 'kubeconfig'), join(dir, 'token')];
  const cluster = startRole('cluster', ['--cluster-dir', join(dir, 'cluster'), '--kubeconfig-file', kubeconfigFile]);
  await until(async () => existsSync(kubeconfigFile));
  writeFileSync(tokenFile, 'token');
  const client = new KubeClient(await loadKubeconfig(kubeconfigFile), { maxConnections: generatorConnections });
  for (const name of ['argocd', 'fairlead']) {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  await client.create(applicationCrd as unknown as KubeObject); // the CRD is written as data
  const engine = await listen(createServer(engineAnswer), { port: 0 });
  const headers = () => ({ authorization: `Bearer ${platform.apiKey}` });
  const api = createApiClient({ baseUrl: platform.url, headers });
  const { installToken } = await api.call('createRuntime', { body: { name: 'bench', kind: 'hybrid' } });
  await registerRuntime({ client, platformUrl: platform.url, installToken });
  const metricsPort = await freePort();
  const flags = [
    ...['--kubeconfig-file', kubeconfigFile, '--engine-url', `http://127.0.0.1:${engine.port}`],
    ...['--engine-token-file', tokenFile, '--reporter-dir', join(dir, 'spool'), '--reporter-port', String(metricsPort)],
  ];
  const reporter = startRole('application-reporter', flags, [`--max-old-space-size=${reporterHeapMiB}`]);
  return {
    ...{ client, api, cluster, reporter, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` },
    async stop() {
      await end(reporter);
      await client.close();
      await engine.close(0);
      await end(cluster);
    },
  };
}

const startRole = (name: string, flags: readonly string[], nodeFlags: readonly string[] = []): ChildProcess =>
  spawnRole(name, flags, { nodeFlags });

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

const engineAnswer: Parameters<typeof createServer>[1] = (request, response) => {
  const isVersion = request.url?.startsWith('/api/version');
  response.end(JSON.stringify(isVersion ? { Version: 'v3.2.0' } : { nodes: [], items: [] }));
};

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const nameOf = (n: number) => `app-${n}`;
const ref = (n: number) => ({
  ...{ group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: 'argocd', name: nameOf(n) },
});
const application = (n: number): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: nameOf(n), namespace: 'argocd' },
  spec: { project: 'default', destination: { namespace: 'x' }, source: { repoURL: 'https://git.example/x.git' } },
});
const revisionOf = (change: number) => change.toString(16).padStart(40, '0');

/** A status as an engine writes it; with `operation`, one that ended. */
function statusOf(change: number, operation?: { readonly startedAt: string }): object {
  const revision = revisionOf(change);
  const sync = { status: 'Synced', revision };
  const health = { status: change % 2 === 0 ? 'Healthy' : 'Progressing' };
  const ended = operation && {
    operation: { sync: { revision } },
    phase: 'Succeeded',
    message: 'successfully synced',
    startedAt: operation.startedAt,
    finishedAt: operation.startedAt,
    syncResult: { revision, resources: [], source: { repoURL: 'https://git.example/x.git' } },
  };
  return { status: { sync, health, ...(ended ? { operationState: ended } : {}) } };
}

const matched = async (api: ApiClient) => (await api.call('listApplications', { query: { limit: 1 } })).matched;

async function steady(platform: PlatformProcess, { client }: Runtime): Promise<Result[]> {
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
    await client.patch(ref(change % applications), statusOf(change + 1), { type: 'merge' });
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

interface Flood {
  readonly changes: number;
  /** Of the numbers that its revisions are made of. */
  readonly base: number;
}

async function flood(
  { client, api, cluster, reporter, metricsUrl }: Runtime,
  platform: PlatformProcess,
  { changes, base }: Flood,
): Promise<Result[]> {
  const pid = reporter.pid ?? 0;
  const cpuOf = () => ({
    ...{ bench: ownCpuSeconds(), cluster: costOf(cluster.pid ?? 0).cpuSeconds, reporter: costOf(pid).cpuSeconds },
    ...{ platform: costOf(platform.pid).cpuSeconds, postgres: costOf(platform.postgresPid).cpuSeconds },
  });
  const depths: number[] = [];
  const memory: number[] = [costOf(pid).pssMiB];
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      const text = await (await fetch(metricsUrl)).text();
      depths.push(Number(/^fairlead_reporter_queue_depth\S* (\d+)/m.exec(text)?.[1] ?? Number.NaN));
      memory.push(costOf(pid).pssMiB);
      await sleep(200, { signal: watching.signal }).catch(() => undefined); // the loop sees the abort
    }
  })();
  const last = new Map<string, string>();
  const operations = new Set<string>();
  const epochMs = Date.now();
  const sentBefore = await sentReports(metricsUrl);
  const cpuBefore = cpuOf();
  const startedMs = performance.now();
  // The changes of one application go one after the other, so that it is known which is the last.
  await mapLimit(numbers(applications), 64, async (n) => {
    for (let round = 0; round < changes / applications; round++) {
      const change = base + round * applications + n;
      const startedAt = new Date(epochMs + (change - base) * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
      const operation = change % operationEvery === 0 ? { startedAt } : undefined;
      if (operation) operations.add(`${nameOf(n)} ${revisionOf(change)}`);
      await client.patch(ref(n), statusOf(change, operation), { type: 'merge' });
      last.set(nameOf(n), revisionOf(change));
    }
  });
  const floodSeconds = (performance.now() - startedMs) / 1000;
  const cpuFlooded = cpuOf();
  const floodedMs = performance.now();
  const isDrained = await until(async () => (await wrong(api, last)) === 0, drainWithinMs).then(
    () => true,
    () => false,
  );
  const drainSeconds = (performance.now() - floodedMs) / 1000;
  const cpuDrained = cpuOf();
  watching.abort();
  await watch;
  const lostOperations = await missing(api, operations);
  const [before = 0] = memory;
  const per = (metric: string, seconds: number) =>
    one(`CPU of the ${metric} per 1,000 changes`, 's', (seconds / changes) * 1000);
  return [
    one('rate offered, as fast as the generator and the cluster can', 'changes/s', changes / floodSeconds, '>= 2000'),
    one('rate taken, until all is shown', 'changes/s', changes / (floodSeconds + drainSeconds)),
    one('reports that told of it', 'reports', (await sentReports(metricsUrl)) - sentBefore),
    per('generator and engine', cpuFlooded.bench - cpuBefore.bench),
    per('cluster', cpuFlooded.cluster - cpuBefore.cluster),
    per('reporter', cpuDrained.reporter - cpuBefore.reporter),
    per('platform', cpuDrained.platform - cpuBefore.platform),
    per('PostgreSQL', cpuDrained.postgres - cpuBefore.postgres),
    one('deepest queue', 'applications', Math.max(...depths), '<= 1000'),
    one('last change to all of it shown', 's', isDrained ? drainSeconds : Number.POSITIVE_INFINITY, '<= 60'),
    one('final states lost', 'applications', await wrong(api, last), '<= 0'),
    one(`operation results lost, of ${operations.size}`, 'operations', lostOperations, '<= 0'),
    {
      metric: 'memory of the reporter at its most (before–after)',
      unit: 'MiB',
      value: Math.max(...memory),
      spread: [before, memory.at(-1) ?? 0],
    },
    one('memory of the platform', 'MiB', costOf(platform.pid).pssMiB),
  ];
}

async function sentReports(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return [...text.matchAll(/^fairlead_reporter_sent_objects_total\S* (\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
}

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Applications whose row does not show the last revision. */
async function wrong(api: ApiClient, last: ReadonlyMap<string, string>): Promise<number> {
  const shown = new Map<string, string | undefined>();
  for (let after: string | undefined; ; ) {
    const page = await api.call('listApplications', { query: { limit: 500, ...(after ? { after } : {}) } });
    for (const { id, sync } of page.items) shown.set(id.name, sync.revision);
    after = page.next;
    if (after === undefined) break;
  }
  return [...last].filter(([name, revision]) => shown.get(name) !== revision).length;
}

async function missing(api: ApiClient, operations: ReadonlySet<string>): Promise<number> {
  const told = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = await api.call('listAllDeployments', { query: { limit: 200, ...(after ? { after } : {}) } });
    for (const { application: id, revision } of page.items) told.add(`${id.name} ${revision}`);
    after = page.next;
    if (after === undefined) break;
  }
  return [...operations].filter((each) => !told.has(each)).length;
}

const one = (metric: string, unit: string, value: number, goal?: string): Result => ({
  ...{ metric, unit, value, spread: [value, value] as const },
  ...(goal ? { goal } : {}),
});

async function until(check: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error('it did not come to pass in time');
    await sleep(100);
  }
}

async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer(), { port: 0 });
  await close(0);
  return port;
}
