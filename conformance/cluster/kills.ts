// A cluster in a process of its own, killed without warning while clients write, started again on the same folder: what was
// acknowledged must be there, and the log must open.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeClient, loadKubeconfig, valueAt } from '@fairlead/kube';
import { spawnRole } from '../role-process.ts';
import { seeded } from './watch-chaos.ts';

export interface KillPlan {
  readonly seed: number;
  readonly kills: number;
  /** Each writer has one write on its way at a time. */
  readonly writers: number;
}

export interface KillReport {
  readonly kills: number;
  readonly acknowledged: number;
  /** `name: acknowledged n, found m`. */
  readonly lost: readonly string[];
}

const startLimitMs = 20_000;

export async function runKills({ seed, kills, writers }: KillPlan): Promise<KillReport> {
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-kills-'));
  const random = seeded(seed);
  const known = new Map<string, number>();
  const lost: string[] = [];
  let acknowledged = 0;
  try {
    for (let round = 0; round <= kills; round++) {
      const { child, client } = await startCluster(dir);
      lost.push(...(await missing(client, known)));
      if (round === kills) {
        await end(child, client, 'SIGTERM');
        break;
      }
      const stopping = new AbortController();
      let begin = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const onDone = () => {
        acknowledged++;
        begin();
      };
      const writing = Array.from({ length: writers }, (_, writer) =>
        write(client, { writer, known, signal: stopping.signal, onDone }),
      );
      // Every other one is killed whatever it has come to; the rest have acknowledged something, however busy the machine.
      if (round % 2 === 0) await Promise.race([begun, Promise.all(writing)]);
      await sleep(20 + random() * 250);
      await end(child, client, 'SIGKILL');
      stopping.abort();
      await Promise.all(writing);
    }
    return { kills, acknowledged, lost };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function startCluster(dir: string): Promise<{ child: ChildProcess; client: KubeClient }> {
  const file = join(dir, 'kubeconfig');
  await rm(file, { force: true });
  const flags = ['--cluster-dir', join(dir, 'data'), '--kubeconfig-file', file];
  const child = spawnRole('cluster', flags, { stderr: 'pipe' });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString('utf8')}`.slice(-2000);
  });
  for (let waitedMs = 0; waitedMs < startLimitMs && child.exitCode === null; waitedMs += 20) {
    const text = await readFile(file, 'utf8').catch(() => ''); // not written yet
    if (text !== '') return { child, client: new KubeClient(await loadKubeconfig(text), { timeoutMs: 5000 }) };
    await sleep(20);
  }
  child.kill('SIGKILL');
  throw new Error(`the cluster did not start on what a kill left behind: ${complaint}`);
}

interface Writer {
  readonly writer: number;
  readonly known: Map<string, number>;
  readonly signal: AbortSignal;
  readonly onDone: () => void;
}

const refOf = (name: string) => ({ group: '', version: 'v1', kind: 'ConfigMap', namespace: 'default', name });

/** Writes one growing number after the other until the server is gone; what it was not told it may not expect. */
async function write(client: KubeClient, { writer, known, signal, onDone }: Writer): Promise<void> {
  const name = `w-${writer}`;
  for (let value = (known.get(name) ?? 0) + 1; !signal.aborted; value++) {
    try {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: String(value) } };
      await client.patch(refOf(name), object, { type: 'apply', fieldManager: 'kills', force: true });
    } catch {
      return; // killed: whether this one counts is open
    }
    known.set(name, value);
    onDone();
  }
}

async function missing(client: KubeClient, known: ReadonlyMap<string, number>): Promise<string[]> {
  const lost: string[] = [];
  for (const [name, value] of known) {
    const object = await client.get(refOf(name)).catch(() => undefined); // then nothing is found, which is the point
    const found = Number(valueAt(object, 'data', 'value') ?? 0);
    if (!(found >= value)) lost.push(`${name}: acknowledged ${value}, found ${found}`);
  }
  return lost;
}

async function end(child: ChildProcess, client: KubeClient, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ended = child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : undefined;
  child.kill(signal);
  await ended;
  await client.close();
}
