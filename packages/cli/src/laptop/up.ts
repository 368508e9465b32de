// Laptop mode: everything on one machine, over the same sockets as anywhere else. This file is the order of things;
// what each step does is in the files beside it.
import { anySignal, type Clock, createLogger, errorMessage, type Logger, sleep } from '@fairlead/base';
import { type ApiClient, createApiClient } from '@fairlead/contracts';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import { runProvisioner } from '@fairlead/runtime';
import {
  databaseDirOf,
  type Endpoints,
  endLeftBehind,
  type Home,
  prepareHome,
  readApiKey,
  recordProcesses,
  releaseHome,
  takeHome,
  writeJson,
} from '../home/index.ts';
import { ensureGitToken } from './git-token.ts';
import { checkDisk, checkMachine, localName } from './machine.ts';
import { choosePorts, componentPorts, holdPorts, onFreePorts, type Ports } from './ports.ts';
import { type PostgresServer, startPostgres } from './postgres/index.ts';
import { type ProcessPlan, planProcesses, roleEnvironment, runtimeSide, startsFirst, urlsOf } from './processes.ts';
import type { Progress } from './progress.ts';
import { ensureRuntime } from './register-runtime.ts';
import { EmbeddedRuntimes } from './runtimes/index.ts';
import { ensureSample } from './sample/index.ts';
import { Supervisor } from './supervisor.ts';

interface UpOptions {
  readonly home: Home;
  readonly port: number | undefined;
  readonly split: boolean;
  readonly empty: boolean;
  readonly webDir: string;
  readonly progress: Progress;
  readonly clock: Clock;
  /** Aborted by Ctrl-C or SIGTERM, also in the middle of starting. */
  readonly signal: AbortSignal;
}

export interface Up {
  readonly url: string;
  readonly signInUrl: string;
  stop(): Promise<void>;
}

const runtimeName = 'hosted';

export async function up(options: UpOptions): Promise<Up> {
  const { home, progress, signal } = options;
  await progress.step('machine: git, Node and the home folder', async () => {
    await checkMachine(signal);
    for (const dir of [home.dir, databaseDirOf(home)]) checkDisk(dir);
    prepareHome(home);
    await endLeftBehind(home, { signal, clock: options.clock });
    takeHome(home);
  });
  try {
    const running = await onFreePorts(() => startIn(options));
    const stop = () => running.stop().finally(() => releaseHome(home));
    return { ...running, stop };
  } catch (error) {
    releaseHome(home);
    throw error;
  }
}

async function startIn(options: UpOptions): Promise<Up> {
  const { home, progress, clock, signal } = options;
  const ports = await choosePorts(home, { platformPort: options.port, defaultPlatformPort: 3000, random: Math.random });
  const urls = urlsOf(ports, await localName());
  recordProcesses(home, { pid: process.pid, url: urls.platform, processes: {} });
  const log = createLogger({ role: 'supervisor', file: `${home.logsDir}/supervisor.log` });
  const running = new RunningParts(options, ports, urls, log);
  try {
    await running.start();
    const api = apiFor(home, urls.platform);
    if (!options.empty) {
      const kube = new KubeClient(await loadKubeconfig(home.kubeconfigFile));
      await progress.step('hosted runtime: registered and connected', () =>
        ensureRuntime({ name: runtimeName, kind: 'hosted', api, kube, platformUrl: urls.platform, log, clock, signal }),
      );
      const isWell = await progress.step('sample: three guestbook applications', () =>
        ensureSample({ home, runtime: runtimeName, gitUrl: urls.git, kube, api, clock, signal }),
      );
      if (!isWell) progress.warn(`the sample is not healthy yet; fairlead app list tells, and ${home.logsDir} why`);
      await ensureGitToken({ api, runtime: runtimeName, gitUrl: urls.git, apiKey: readApiKey(home), signal });
      await kube.close();
    } else await running.provision(api);
    running.keepRuntimes(api);
    const { url: signInUrl } = await api.call('createSignInLink', {}, { signal });
    return { url: urls.platform, signInUrl, stop: () => running.stop() };
  } catch (error) {
    log.error({ error: errorMessage(error) }, 'start failed');
    await running.stop();
    throw error;
  }
}

/** PostgreSQL and the role processes, started side by side and stopped in the order that loses nothing. */
class RunningParts {
  readonly #options: UpOptions;
  readonly #ports: Ports;
  readonly #urls: Endpoints;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #supervisor: Supervisor | undefined;
  #provisioning: Promise<void> | undefined;
  #runtimes: Promise<void> | undefined;
  #letPortsGo: (() => Promise<void>) | undefined;
  #postgres: PostgresServer | undefined;

  constructor(options: UpOptions, ports: Ports, urls: Endpoints, log: Logger) {
    this.#options = options;
    this.#ports = ports;
    this.#urls = urls;
    this.#log = log;
  }

  async start(): Promise<void> {
    const { home, progress, clock, webDir } = this.#options;
    this.#postgres = await progress.step('PostgreSQL', () => this.#startPostgres());
    const databaseUrl = this.#postgres.url;
    const env = roleEnvironment({ home, ports: this.#ports, urls: this.#urls, databaseUrl, webDir });
    this.#supervisor = new Supervisor({
      env: { ...env, FAIRLEAD_LOG_DIR: home.logsDir },
      logsDir: home.logsDir,
      log: this.#log,
      clock,
      onChange: () => this.#record(),
    });
    await this.#startProcesses(this.#supervisor);
    writeJson(home.endpointsFile, this.#urls);
    this.#record();
  }

  /** All at once, but those that live on the cluster come after it: they find it by the kubeconfig it writes. */
  async #startProcesses(supervisor: Supervisor): Promise<void> {
    const start = (plan: ProcessPlan) =>
      this.#options.progress.step(`${plan.name}: ${plan.roles.join(', ')}`, () => supervisor.start(plan));
    const plans = planProcesses(this.#options);
    const independent = plans.filter(({ roles }) => roles.some((role) => startsFirst.includes(role)));
    const onCluster = plans.filter((plan) => !independent.includes(plan));
    const running = independent.map(start);
    await running[independent.findIndex(({ roles }) => roles.includes('cluster'))];
    await Promise.all([...running, ...onCluster.map(start)]);
  }

  /** Brings up the hosted runtime that somebody asks for, and after a restart the one that is there. */
  async provision(api: ApiClient): Promise<void> {
    const { home, clock } = this.#options;
    this.#letPortsGo = await holdPorts(componentPorts(this.#ports));
    const { signal } = this.#stopping;
    const log = this.#log;
    const connect = async (name: string) => {
      const kube = new KubeClient(await loadKubeconfig(home.kubeconfigFile));
      try {
        await ensureRuntime({ name, kind: 'hosted', api, kube, platformUrl: this.#urls.platform, log, clock, signal });
      } finally {
        await kube.close();
      }
    };
    const steps = [
      { title: `components: ${runtimeSide.join(', ')}`, run: () => this.#startRuntime() },
      { title: 'registered with the platform and connected', run: connect },
    ];
    this.#provisioning = runProvisioner({ api, site: { steps }, log, clock }, { signal });
  }

  /** Those that `fairlead runtime install --embedded` put into this home, as they are wanted now. */
  keepRuntimes(api: ApiClient): void {
    const { home, clock } = this.#options;
    const supervisor = this.#supervisor;
    if (!supervisor) return;
    const { platform: platformUrl, git: gitUrl } = this.#urls;
    const runtimes = new EmbeddedRuntimes({ home, supervisor, api, platformUrl, gitUrl, log: this.#log, clock });
    this.#runtimes = runtimes.run({ signal: this.#stopping.signal });
  }

  async #startRuntime(): Promise<void> {
    await this.#letPortsGo?.();
    const supervisor = this.#supervisor;
    if (!this.#options.split) await supervisor?.addRoles('cluster', runtimeSide);
    else {
      const missing = runtimeSide.filter((role) => !(role in (supervisor?.pids() ?? {})));
      await Promise.all(missing.map((role) => supervisor?.start({ name: role, roles: [role] })));
    }
    this.#record();
  }

  async #startPostgres(): Promise<PostgresServer> {
    const { home, signal } = this.#options;
    const server = await startPostgres({
      homeDir: home.dir,
      dataDir: home.dataDir,
      logFile: `${home.logsDir}/postgres.log`,
      port: this.#ports.postgres,
      log: this.#log,
      signal: anySignal([signal, this.#stopping.signal]),
    });
    void server.ended.then(() => this.#revivePostgres());
    return server;
  }

  /** The platform answers 503 meanwhile and goes on by itself once the database is back. */
  async #revivePostgres(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#log.warn('PostgreSQL ended; starting it again');
      try {
        this.#postgres = await this.#startPostgres();
        this.#record();
        return;
      } catch (error) {
        this.#log.error({ error: errorMessage(error) }, 'PostgreSQL did not start; trying again');
        await sleep(1_000, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#provisioning, this.#runtimes]);
    await this.#letPortsGo?.();
    const names = Object.keys(this.#supervisor?.pids() ?? {});
    await this.#supervisor?.stop(names.filter((name) => name !== 'platform'));
    await this.#supervisor?.stop(['platform']);
    await this.#postgres?.stop();
  }

  #record(): void {
    if (this.#stopping.signal.aborted) return;
    const processes = { ...this.#supervisor?.pids(), postgres: this.#postgres?.pid ?? 0 };
    recordProcesses(this.#options.home, { pid: process.pid, url: this.#urls.platform, processes });
  }
}

function apiFor(home: Home, baseUrl: string): ApiClient {
  const apiKey = readApiKey(home);
  return createApiClient({ baseUrl, headers: () => ({ authorization: `Bearer ${apiKey}` }) });
}
