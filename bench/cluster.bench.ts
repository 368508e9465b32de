// The embedded cluster under load over its real socket: creates, applies, gets, a list of all, watchers. With
// `KUBE_APISERVER` and `ETCD` naming binaries, the same is asked of a real kube-apiserver in the same run, as a ratio.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, binaries, startOracle } from '../conformance/kubernetes/oracle.ts';
import { spawnRole } from '../conformance/role-process.ts';
import { costOf } from './processes.ts';
import type { BenchContext, Result } from './report.ts';

const objectCount = 10_000;
const sampleCount = 5000;
const inFlight = 32;
const watcherCount = 500;
const watchedChanges = 1000;
const fanOutLimitMs = 60_000;
const path = '/api/v1/namespaces/default/configmaps';

interface Target {
  readonly url: string;
  readonly token: string;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

type Figures = Readonly<Record<string, number>>;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const ours = await measureTarget(await startOurs(), (line) => say(`embedded: ${line}`));
  const found = binaries();
  const real = found && (await measureTarget(await startReal(found), (line) => say(`kube-apiserver: ${line}`)));
  if (!real) say('KUBE_APISERVER and ETCD are not set: measured alone');
  const grown = await measureGrowth((line) => say(`embedded: ${line}`));
  return [
    ...Object.entries(ours).flatMap(([metric, value]) => rows(metric, value, real?.[metric])),
    ...Object.entries(grown).flatMap(([metric, value]) => rows(metric, value, undefined)),
  ];
}

async function startReal(found: Binaries): Promise<Target> {
  const oracle = await startOracle(found);
  return { ...oracle, pids: Object.values(oracle.processes) };
}

const growthStep = 5000;
const definitionCount = 400;

/** The same work at N, 2N and 4N objects, and once more beside many definitions: what grows with what is there. */
async function measureGrowth(say: (line: string) => void): Promise<Figures> {
  const target = await startOurs();
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight, rejectUnauthorized: false });
  const call = caller(target, agent);
  const figures: Record<string, number> = {};
  const type = 'application/apply-patch+yaml';
  let there = 0;
  const sample = async (name: string) => {
    const from = there;
    figures[`gets at ${name}, 1/s`] = await rate(2000, (index) => call('GET', `${path}/c-${index % from}`));
    figures[`applies at ${name}, 1/s`] = await rate(2000, (index) =>
      call('PATCH', `${path}/c-${index % from}?fieldManager=bench&force=true`, configMap(index % from, name), type),
    );
    const startedMs = performance.now();
    await call('GET', path);
    figures[`list at ${name}, s`] = (performance.now() - startedMs) / 1000;
    figures[`memory at ${name}, MiB PSS`] = target.pids.reduce((sum, pid) => sum + costOf(pid).pssMiB, 0);
    say(`measured at ${name}`);
  };
  try {
    for (const factor of [1, 2, 4]) {
      const wanted = growthStep * factor - there;
      const from = there;
      figures[`creates up to ${factor}N, 1/s`] = await rate(wanted, (index) =>
        call('POST', path, configMap(from + index)),
      );
      there += wanted;
      await sample(`${factor}N = ${there}`);
    }
    await rate(definitionCount, (index) => call('POST', definitions, definition(index)));
    await sample(`4N and ${definitionCount} definitions`);
    return figures;
  } finally {
    agent.destroy();
    await target.stop();
  }
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = (index: number) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.g${index}.example.com` },
  spec: {
    group: `g${index}.example.com`,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
});

/** Rates should be at least the real one's, seconds and memory at most (memory: half). */
function rows(metric: string, value: number, real: number | undefined): Result[] {
  const unit = metric.split(', ').at(-1) ?? '';
  const own: Result = { metric, unit, value, spread: [value, value] };
  if (real === undefined) return [own];
  const ratio = unit === '1/s' ? value / real : real / value;
  const goal = unit === 'MiB PSS' ? '>= 2' : '>= 1';
  return [
    own,
    {
      metric: `${metric}: times as good as kube-apiserver + etcd`,
      unit: '×',
      value: ratio,
      spread: [ratio, ratio],
      goal,
    },
  ];
}

async function startOurs(): Promise<Target> {
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-cluster-bench-'));
  const kubeconfig = join(dir, 'kubeconfig');
  const child = spawnRole('cluster', ['--cluster-dir', join(dir, 'data'), '--kubeconfig-file', kubeconfig]);
  const text = await untilThere(kubeconfig);
  const part = (form: RegExp) => form.exec(text)?.[1] ?? '';
  return {
    url: part(/server: (\S+)/),
    token: part(/token: (\S+)/),
    pids: [child.pid ?? 0],
    stop: async () => {
      await end(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function measureTarget(target: Target, say: (line: string) => void): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight, rejectUnauthorized: false });
  const call = caller(target, agent);
  try {
    const create = await rate(objectCount, (index) => call('POST', path, configMap(index)));
    const get = await rate(sampleCount, (index) => call('GET', `${path}/c-${index}`));
    const type = 'application/apply-patch+yaml';
    const apply = await rate(sampleCount, (index) =>
      call('PATCH', `${path}/c-${index}?fieldManager=bench&force=true`, configMap(index, 'applied'), type),
    );
    const startedMs = performance.now();
    await call('GET', path);
    const listSeconds = (performance.now() - startedMs) / 1000;
    say(
      `creates ${create.toFixed(0)}/s, gets ${get.toFixed(0)}/s, applies ${apply.toFixed(0)}/s, list ${listSeconds.toFixed(2)} s`,
    );
    const watchSeconds = await fanOut(target, call, say);
    const memory = target.pids.reduce((sum, pid) => sum + costOf(pid).pssMiB, 0);
    say(`watchers done in ${watchSeconds.toFixed(2)} s, ${memory.toFixed(0)} MiB PSS`);
    return {
      'creates, 1/s': create,
      'gets, 1/s': get,
      'applies, 1/s': apply,
      [`list of ${objectCount}, s`]: listSeconds,
      [`${watcherCount} watchers see ${watchedChanges} changes, s`]: watchSeconds,
      'memory after it, MiB PSS': memory,
    };
  } finally {
    agent.destroy();
    await target.stop();
  }
}

const configMap = (index: number, value = 'created') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `c-${index}`, labels: { app: 'bench' } },
  data: { value, text: 'x'.repeat(200) },
});

type Call = (method: string, path: string, body?: object, type?: string) => Promise<void>;

function caller({ url, token }: Target, agent: Agent): Call {
  return (method, at, body, type = 'application/json') =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      const sent = request(`${url}${at}`, { method, agent, headers }, (response) => {
        response.on('end', () =>
          (response.statusCode ?? 500) < 300 ? resolve() : reject(new Error(`${method} ${at}: ${response.statusCode}`)),
        );
        response.resume();
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });
}

/** Calls a second, `inFlight` at a time. */
async function rate(count: number, act: (index: number) => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return count / ((performance.now() - startedMs) / 1000);
}

/** From the first change to the moment the last watcher has seen the last. */
async function fanOut({ url, token }: Target, call: Call, say: (line: string) => void): Promise<number> {
  let missed = 0;
  const agent = new Agent({ rejectUnauthorized: false, maxSockets: watcherCount });
  const headers = { authorization: `Bearer ${token}` };
  const at = '/api/v1/namespaces/kube-public/configmaps';
  const done: Promise<void>[] = [];
  // From version 0 a watch opens at once: asked for the newest state, a kube-apiserver first waits for word from its etcd.
  for (let index = 0; index < watcherCount; index++) {
    await new Promise<void>((ready, reject) => {
      const sent = request(
        `${url}${at}?watch=true&resourceVersion=0&labelSelector=app%3Dbench`,
        { agent, headers },
        (response) => {
          let seen = 0;
          done.push(
            new Promise((resolve) => {
              response.on('data', (chunk: Buffer) => {
                for (const byte of chunk) if (byte === 10) seen++;
                if (seen >= watchedChanges) resolve();
              });
              // A server may end a watcher that reads too slowly; what it was still to see counts as missed.
              response.on('close', () => {
                missed += Math.max(0, watchedChanges - seen);
                resolve();
              });
            }),
          );
          ready();
        },
      );
      sent.on('error', reject);
      sent.end();
    });
  }
  const startedMs = performance.now();
  await rate(watchedChanges, (index) => call('POST', at, configMap(index)));
  const limit = new Promise<void>((resolve) => setTimeout(resolve, fanOutLimitMs).unref());
  await Promise.race([Promise.all(done), limit]);
  const seconds = (performance.now() - startedMs) / 1000;
  if (missed > 0) say(`${missed} of ${watcherCount * watchedChanges} events did not arrive: watchers were ended`);
  agent.destroy();
  return seconds;
}

async function untilThere(file: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const text = await readFile(file, 'utf8').catch(() => ''); // not written yet
    if (text !== '') return text;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the cluster did not start within 20 s');
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
