// Real processes, killed in turn while applications change and are synced: reporter and platform by SIGKILL, PostgreSQL by
// its immediate stop, which finishes nothing and leaves recovery to the next start, or frozen for some seconds. In
// between, what the platform shows may only go forward; in the end it must be the truth, with every operation once.
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, sleep } from '@fairlead/base';
import { type ApiClient, createApiClient } from '@fairlead/contracts';
import { startTestServer } from '@fairlead/platform/testing';
import { registerRuntime } from '@fairlead/runtime';
import { eventually, startWorld, type World } from '../engine/world.ts';
import { spawnRole } from '../role-process.ts';
import { Dice } from './simulation/seeded.ts';

export interface KillPlan {
  readonly seed: number;
  readonly faults: number;
  readonly applications: number;
}

export interface KillReport {
  readonly faults: Record<string, number>;
  readonly changes: number;
  readonly operations: number;
  readonly lost: string[];
  readonly reordered: string[];
  readonly doubled: string[];
}

const apiKey = 'kills-key-0123456789abcdef';
const names = ['reporter', 'platform', 'postgres', 'frozen'] as const;
type Fault = (typeof names)[number];
/** Longer than it takes until a silent database is taken for gone. */
const frozenMs = 6_000;
const nameOf = (n: number) => `app-${n}`;

export async function runProcessKills(plan: KillPlan): Promise<KillReport> {
  const [world, postgres] = await Promise.all([startWorld(), startTestServer({ durable: true })]);
  const keyFile = join(world.dir, 'platform-key');
  writeFileSync(keyFile, apiKey, { mode: 0o600 });
  const port = await freePort();
  const databaseUrl = await postgres.createDatabase();
  const url = `http://127.0.0.1:${port}`;
  const platform = new RoleProcess('platform', [
    '--platform-port',
    String(port),
    '--database-url',
    databaseUrl,
    '--api-key-file',
    keyFile,
  ]);
  const cluster = ['--kubeconfig-file', join(world.dir, 'kubeconfig'), '--engine-url', world.engineUrl];
  const reporter = new RoleProcess('application-reporter', [
    ...cluster,
    '--engine-token-file',
    join(world.dir, 'key'),
    '--reporter-dir',
    join(world.dir, 'spool'),
  ]);
  const api = createApiClient({ baseUrl: url, headers: () => ({ authorization: `Bearer ${apiKey}` }) });
  const killed = {
    reporter: () => reporter.restart(),
    platform: () => platform.restart(),
    postgres: async () => {
      await postgres.kill();
      await postgres.revive();
    },
    frozen: async () => {
      await postgres.freeze();
      await sleep(frozenMs);
      postgres.thaw();
    },
  };
  try {
    await platform.start();
    await eventually(() => api.call('me', {}), 60_000);
    const { installToken } = await api.call('createRuntime', { body: { name: 'killed', kind: 'hybrid' } });
    await registerRuntime({ client: world.client, platformUrl: url, installToken });
    await reporter.start();
    return await play(plan, { world, api, killed });
  } finally {
    await reporter.stop();
    await platform.stop();
    await postgres.stop();
    await world.stop();
  }
}

interface Scene {
  readonly world: World;
  readonly api: ApiClient;
  readonly killed: Readonly<Record<Fault, () => Promise<void>>>;
}

async function play({ seed, faults, applications }: KillPlan, { world, api, killed }: Scene): Promise<KillReport> {
  const dice = new Dice(seed);
  const workload = new Workload(world, applications);
  await workload.prepare();
  const watch = new Watch(api, applications);
  const done = new AbortController();
  const running = Promise.all([workload.run(dice, done.signal), watch.run(done.signal)]);
  const counted: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  for (let n = 0; n < faults; n++) {
    await sleep(300 + dice.below(1_200));
    const name = names[n % names.length] ?? 'reporter';
    await killed[name]();
    counted[name] = (counted[name] ?? 0) + 1;
  }
  done.abort();
  await running;
  const lost = await eventually(async () => {
    const missing = await watch.missing(world);
    if (missing.length > 0) throw new Error(missing.join('; '));
    return missing;
  }, 90_000).catch((error: Error) => [error.message]);
  return {
    faults: counted,
    changes: workload.changes,
    operations: workload.operations,
    lost,
    reordered: watch.reordered,
    doubled: await watch.doubled(),
  };
}

class Workload {
  readonly #world: World;
  readonly #applications: number;
  changes = 0;
  operations = 0;

  constructor(world: World, applications: number) {
    this.#world = world;
    this.#applications = applications;
  }

  async prepare(): Promise<void> {
    const repository = await this.#world.repository('demo/killed');
    await repository.push({ 'c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: { a: b }\n' });
    for (let n = 0; n < this.#applications; n++) {
      const namespace = nameOf(n);
      await this.#world.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      await this.#world.application(namespace, {
        project: 'default',
        source: { repoURL: repository.url, path: '.', targetRevision: 'main' },
        destination: { server: 'https://kubernetes.default.svc', namespace },
      });
    }
  }

  async run(dice: Dice, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const name = nameOf(dice.below(this.#applications));
      const ref = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: 'argocd', name };
      const labels = { seq: String(++this.changes) };
      await this.#world.client.patch(ref, { metadata: { labels } }, { type: 'merge' });
      if (this.changes % 10 === 0) {
        const { status } = await this.#world.api(`/api/v1/applications/${name}/sync`, { method: 'POST', body: '{}' });
        if (status === 200) this.operations++;
      }
      await sleep(50);
    }
  }
}

/** Looks at the platform as a client does: an answer that does not come says nothing. */
class Watch {
  readonly #api: ApiClient;
  readonly #names: string[];
  readonly #seen = new Map<string, number>();
  readonly reordered: string[] = [];

  constructor(api: ApiClient, applications: number) {
    this.#api = api;
    this.#names = Array.from({ length: applications }, (_, n) => nameOf(n));
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const name of this.#names) {
        const shown = await this.#shown(name).catch(() => undefined);
        if (shown === undefined) continue;
        const before = this.#seen.get(name) ?? 0;
        if (shown < before) this.reordered.push(`${name}: ${shown} after ${before}`);
        this.#seen.set(name, Math.max(shown, before));
      }
      await sleep(20);
    }
  }

  async missing(world: World): Promise<string[]> {
    const missing: string[] = [];
    for (const name of this.#names) {
      const { metadata, status } = await world.app(name);
      const [shown, deployments] = await Promise.all([this.#shown(name), this.#deployments(name)]);
      const truth = Number(metadata.labels?.['seq'] ?? 0);
      if (shown !== truth) missing.push(`${name} is shown at ${shown} and is at ${truth}`);
      for (const { id } of status?.history ?? []) {
        if (!deployments.some(({ historyId }) => historyId === id)) missing.push(`${name}: deployment ${id}`);
      }
    }
    return missing;
  }

  async doubled(): Promise<string[]> {
    const doubled: string[] = [];
    for (const name of this.#names) {
      const ids = (await this.#deployments(name)).flatMap(({ historyId }) =>
        historyId === undefined ? [] : [historyId],
      );
      if (new Set(ids).size !== ids.length) doubled.push(`${name}: ${ids.join()}`);
    }
    return doubled;
  }

  async #shown(name: string): Promise<number> {
    const { report } = await this.#api.call('getApplication', { params: this.#id(name) });
    return Number(report.labels['seq'] ?? 0);
  }

  async #deployments(name: string) {
    return (await this.#api.call('listDeployments', { params: this.#id(name), query: { limit: 200 } })).items;
  }

  #id(name: string) {
    return { runtime: 'killed', namespace: 'argocd', name };
  }
}

class RoleProcess {
  readonly #role: string;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;

  constructor(role: string, flags: readonly string[]) {
    this.#role = role;
    this.#flags = flags;
  }

  start(): Promise<void> {
    this.#child = spawnRole(this.#role, this.#flags);
    return Promise.resolve();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
}
