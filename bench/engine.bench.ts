// The engine with many applications of one monorepo: first full sync, cost at rest, a one-file commit, many drifted at
// once. Git server and engine run as a process each. The cluster is the embedded one in a process of its own, or, with
// `ETCD` and `KUBE_APISERVER` (and `KUBE_CONTROLLER_MANAGER`) naming binaries, a real API server; or the real, empty one that
// BENCH_KUBECONFIG names, whose processes are not counted. "All" means all these processes and their children.
// BENCH_APPLICATIONS sets the number of applications (250).
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapLimit, sleep } from '@fairlead/base';
import type { Application } from '@fairlead/contracts';
import { WorkingCopy } from '@fairlead/git';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import { binaries, kubeconfigOf, managedBinaries, type Oracle, startOracle } from '../conformance/kubernetes/oracle.ts';
import { spawnRole } from '../conformance/role-process.ts';
import { costOf } from './processes.ts';
import type { BenchContext, Result } from './report.ts';

const applications = Number(process.env['BENCH_APPLICATIONS'] ?? 250);
const resources = 10;
const drifted = Math.min(100, applications);
const apiKey = 'bench-key';
/** As long as it takes until every application was polled once. */
const idleMs = 180_000;

class Bench {
  readonly dir: string;
  readonly children: ChildProcess[] = [];
  oracle: Oracle | undefined;
  client: KubeClient | undefined;
  gitUrl = '';
  engineUrl = '';

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Starts a role and waits for the address it says it listens on. */
  start(role: string, settings: Record<string, string>): Promise<string> {
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawnRole(role, flags, { stdout: 'pipe', stderr: 'pipe' });
    this.children.push(child);
    return new Promise((resolve, reject) => {
      let text = '';
      const look = (chunk: Buffer) => {
        text = (text + chunk.toString()).slice(-20_000);
        const url = /"url":"(https?:\/\/[^"]+)"/.exec(text)?.[1];
        if (url) resolve(url);
      };
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
      child.once('exit', (code) => reject(new Error(`role ${role} ended with ${code}: ${text.slice(-500)}`)));
    });
  }

  /** Of every process by itself. */
  get cpuByProcess(): Map<string, number> {
    const ours = this.children.map((child): [string, number] => [child.spawnargs[3] ?? '', child.pid ?? 0]);
    const theirs = Object.entries(this.oracle?.processes ?? {});
    return new Map([...ours, ...theirs].map(([name, pid]) => [name, costOf(pid).cpuSeconds]));
  }

  get cpuSeconds(): number {
    return [...this.cpuByProcess.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  get engineMiB(): number {
    return costOf(this.children.at(-1)?.pid ?? 0).pssMiB;
  }

  async number(name: string): Promise<number> {
    const text = await (await fetch(`${this.engineUrl}/metrics`)).text();
    return Number(new RegExp(`^fairlead_engine_${name}\\{[^}]*\\} ([\\d.e+]+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  }

  async stop(): Promise<void> {
    await this.client?.close();
    for (const child of this.children.toReversed()) {
      child.kill('SIGTERM');
      await Promise.race([new Promise((resolve) => child.once('exit', resolve)), sleep(5000)]);
      child.kill('SIGKILL');
    }
    await this.oracle?.stop();
    await rm(this.dir, { recursive: true, force: true });
  }
}

const nameOf = (index: number) => `app-${String(index).padStart(4, '0')}`;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const bench = new Bench(await mkdtemp(join(tmpdir(), 'fairlead-bench-')));
  try {
    const work = await prepare(bench);
    const where = bench.oracle ? 'a real kube-apiserver' : (process.env['BENCH_KUBECONFIG'] ?? 'the embedded cluster');
    say(`${applications} applications × ${resources} resources on ${where}; load ${loadavg()[0]?.toFixed(1)}`);
    return [
      ...(await firstSync(bench, say)),
      ...(await atRest(bench, say)),
      ...(await oneFileCommit(bench, work, say)),
      ...(await drift(bench)),
      one('memory of the engine', 'MiB PSS', bench.engineMiB, '<= 450'),
    ];
  } finally {
    await bench.stop();
  }
}

const one = (metric: string, unit: string, value: number, goal?: string): Result => ({
  metric,
  unit,
  value,
  spread: [value, value],
  ...(goal ? { goal } : {}),
});

async function prepare(bench: Bench): Promise<WorkingCopy> {
  const { dir } = bench;
  const files = { key: join(dir, 'key'), kubeconfig: process.env['BENCH_KUBECONFIG'] ?? join(dir, 'kubeconfig') };
  await writeFile(files.key, apiKey);
  if (!process.env['BENCH_KUBECONFIG']) await startCluster(bench, files.kubeconfig);
  const enginePort = 20_000 + (process.pid % 20_000);
  const webhook = `http://127.0.0.1:${enginePort}/api/webhook`;
  const git = { 'git-port': '0', 'git-dir': join(dir, 'git'), 'api-key-file': files.key, 'git-webhook-urls': webhook };
  bench.gitUrl = await bench.start('git-server', git);
  const engine = { 'engine-port': String(enginePort), 'kubeconfig-file': files.kubeconfig, 'api-key-file': files.key };
  bench.engineUrl = await bench.start('engine', { ...engine, 'engine-dir': join(dir, 'engine') });
  bench.client = new KubeClient(await loadKubeconfig(files.kubeconfig));
  await bench.client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'git', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repo-creds' } },
    stringData: { url: bench.gitUrl, username: 'engine', password: apiKey },
  });
  const work = await WorkingCopy.init(join(dir, 'work'));
  const names = Array.from({ length: applications }, (_, index) => nameOf(index));
  await work.write(Object.fromEntries(names.map((name) => [`${name}/all.yaml`, manifests('1')])));
  await push(bench, work);
  return work;
}

async function startCluster(bench: Bench, kubeconfigFile: string): Promise<void> {
  const found = managedBinaries() ?? binaries();
  if (found) {
    bench.oracle = await startOracle(found);
    await writeFile(kubeconfigFile, kubeconfigOf(bench.oracle));
    return;
  }
  const clusterDir = join(bench.dir, 'cluster');
  await mkdir(clusterDir);
  await bench.start('cluster', { 'cluster-dir': clusterDir, 'kubeconfig-file': kubeconfigFile });
}

const pushUrl = ({ gitUrl }: Bench) => `${gitUrl.replace('//', `//bench:${apiKey}@`)}/bench/mono.git`;

async function push(bench: Bench, work: WorkingCopy): Promise<string> {
  const commit = await work.commit('change');
  await work.git('push', '--quiet', pushUrl(bench), 'HEAD:main');
  return commit;
}

/** A Deployment of no replicas, a Service, and ConfigMaps: what the engine does for them is the same as for others. */
function manifests(value: string): string {
  const documents = [
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 0, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}}',
    'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}], selector: {app: web}}',
    ...Array.from(
      { length: resources - 2 },
      (_, index) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map-${index}}\ndata: {key: "${value}"}`,
    ),
  ];
  return `${documents.join('\n---\n')}\n`;
}

/** `engine 20.1, kube-apiserver 15.0`, the dearest first. */
function spentSince(
  before: ReadonlyMap<string, number>,
  bench: Bench,
): { readonly all: number; readonly text: string } {
  const spent = [...bench.cpuByProcess].map(([name, seconds]) => ({ name, used: seconds - (before.get(name) ?? 0) }));
  const text = spent.sort((a, b) => b.used - a.used).map(({ name, used }) => `${name} ${used.toFixed(2)}`);
  return { all: spent.reduce((sum, { used }) => sum + used, 0), text: text.join(', ') };
}

async function firstSync(bench: Bench, say: BenchContext['say']): Promise<Result[]> {
  const cpu = bench.cpuByProcess;
  const requests = await bench.number('kube_requests_total');
  const startedMs = performance.now();
  const names = Array.from({ length: applications }, (_, index) => nameOf(index));
  await mapLimit(names, 20, async (name) => {
    await bench.client?.create(applicationOf(bench, name));
  });
  await until(
    bench,
    (application) => application.status?.sync?.status === 'Synced' && application.status.health?.status === 'Healthy',
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const { all: used, text } = spentSince(cpu, bench);
  const asked = (await bench.number('kube_requests_total')) - requests;
  say(`first sync in ${seconds.toFixed(1)} s, ${used.toFixed(1)} CPU-s (${text}), ${asked} requests`);
  const wallGoal = `<= ${(200 * applications) / 1000}`;
  return [
    one('first full sync', 's', seconds, wallGoal),
    one('first full sync, CPU of all processes per application', 'CPU-s', used / applications, '<= 0.2'),
    one('API requests of the engine per application', 'requests', asked / applications, '<= 30'),
  ];
}

const applicationOf = ({ gitUrl }: Bench, name: string) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace: 'argocd' },
  spec: {
    project: 'default',
    source: { repoURL: `${gitUrl}/bench/mono.git`, path: name, targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: name },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
  },
});

/** Asks the engine's own list, which costs the cluster nothing. */
async function until(bench: Bench, isDone: (application: Application) => boolean): Promise<void> {
  const fields = 'items.metadata.name,items.status.sync,items.status.health,items.status.operationState.phase';
  const headers = { authorization: `Bearer ${apiKey}` };
  for (;;) {
    const response = await fetch(`${bench.engineUrl}/api/v1/applications?fields=${fields}`, { headers });
    const { items = [] } = (await response.json()) as { items?: Application[] };
    if (items.length === applications && items.every(isDone)) return;
    await sleep(applications > 300 ? 1000 : 250);
  }
}

async function atRest(bench: Bench, say: BenchContext['say']): Promise<Result[]> {
  await sleep(20_000); // V8 gives memory back for some seconds after the first sync, in threads of its own
  const before = {
    cpu: bench.cpuSeconds,
    engine: engineCpu(bench),
    requests: await bench.number('kube_requests_total'),
    leases: await bench.number('lease_requests_total'),
  };
  await sleep(idleMs);
  const seconds = idleMs / 1000;
  const share = ((bench.cpuSeconds - before.cpu) / seconds) * 100;
  const own = ((engineCpu(bench) - before.engine) / seconds) * 100;
  const asked = ((await bench.number('kube_requests_total')) - before.requests) * (60 / seconds);
  const renewed = ((await bench.number('lease_requests_total')) - before.leases) * (60 / seconds);
  say(`at rest: ${share.toFixed(2)} % of a core in all, ${asked} requests a minute`);
  return [
    one('CPU at rest, engine', '% of a core', own, '<= 2'),
    one('CPU at rest, all processes', '% of a core', share),
    one('API requests at rest, watches and lease aside', 'per minute', asked, '<= 30'),
    one('API requests at rest for the lease', 'per minute', renewed),
  ];
}

const engineCpu = ({ children }: Bench) => costOf(children.at(-1)?.pid ?? 0).cpuSeconds;

async function oneFileCommit(bench: Bench, work: WorkingCopy, say: BenchContext['say']): Promise<Result[]> {
  const times: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < 5; round++) {
    const name = nameOf(round);
    await work.write({ [`${name}/all.yaml`]: manifests(`${round + 2}`) });
    await work.commit('change');
    const cpu = bench.cpuByProcess;
    const startedMs = performance.now();
    await work.git('push', '--quiet', pushUrl(bench), 'HEAD:main');
    const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: name, name: 'map-7' };
    for (;;) {
      const live = await bench.client?.get(ref);
      if ((live?.['data'] as { key?: string } | undefined)?.key === `${round + 2}`) break;
      await sleep(10);
    }
    times.push((performance.now() - startedMs) / 1000);
    await untilQuiet(bench); // whatever the push sets off in other applications is part of its cost
    const { all, text } = spentSince(cpu, bench);
    costs.push(all);
    say(`one-file commit in ${times.at(-1)?.toFixed(2)} s, ${all.toFixed(2)} CPU-s (${text})`);
  }
  const middle = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  return [
    {
      ...one('one-file commit, push to applied', 's', middle(times), '<= 0.5'),
      spread: [Math.min(...times), Math.max(...times)],
    },
    {
      ...one('one-file commit, CPU of all processes until quiet', 'CPU-s', middle(costs), '<= 0.3'),
      spread: [Math.min(...costs), Math.max(...costs)],
    },
  ];
}

const quiet = { ms: 1_500, share: 0.16 };

/** As the peer was measured: all processes together below 16 % of a core for 1.5 s. Those seconds count too. */
async function untilQuiet(bench: Bench): Promise<void> {
  for (;;) {
    const before = bench.cpuSeconds;
    await sleep(quiet.ms);
    if (bench.cpuSeconds - before < (quiet.share * quiet.ms) / 1000) return;
  }
}

async function drift(bench: Bench): Promise<Result[]> {
  const names = Array.from({ length: drifted }, (_, index) => nameOf(index));
  const refTo = (namespace: string) => ({ group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'map-0' });
  const startedMs = performance.now();
  await mapLimit(names, 20, async (name) => {
    await bench.client?.patch(refTo(name), { data: { key: 'drifted' } }, { type: 'merge' });
  });
  for (const name of names) {
    for (;;) {
      const live = await bench.client?.get(refTo(name));
      if ((live?.['data'] as { key?: string } | undefined)?.key !== 'drifted') break;
      await sleep(20);
    }
  }
  return [one(`${drifted} drifted applications healed`, 's', (performance.now() - startedMs) / 1000, '<= 10')];
}
