// A whole small world for tests of the engine: embedded cluster, git server and engine, over real sockets.
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, freePort, Lifecycle, type Logger, silentLogger, sleep } from '@fairlead/base';
import { startCluster } from '@fairlead/cluster';
import type { Application } from '@fairlead/contracts';
import { engineRole } from '@fairlead/engine';
import { gitServerRole, WorkingCopy } from '@fairlead/git';
import { isNotFound, KubeClient, type KubeObject, loadKubeconfig, type ResourceRef, refOf } from '@fairlead/kube';
import { byKubeconfig } from '../by-kubeconfig.ts';

const apiKey = 'test-key';

export interface World {
  readonly dir: string;
  readonly client: KubeClient;
  readonly engineUrl: string;
  readonly gitUrl: string;
  /** A working copy whose `push` goes to `org/name.git` of the built-in server. */
  repository(name: string): Promise<Repository>;
  api(path: string, init?: RequestInit & { token?: string }): Promise<{ status: number; body: unknown }>;
  application(name: string, spec: object, metadata?: object): Promise<void>;
  get(ref: ResourceRef): Promise<KubeObject | undefined>;
  app(name: string): Promise<Application>;
  /** Stops the engine, does the work, and starts another engine on the same folder and port. */
  whileEngineIsAway(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export class Repository {
  readonly url: string;
  readonly work: WorkingCopy;
  readonly #pushUrl: string;

  constructor(work: WorkingCopy, url: string, token = apiKey) {
    this.work = work;
    this.url = url;
    this.#pushUrl = url.replace('//', `//test:${token}@`);
  }

  /** Writes (null removes), commits and pushes; gives back the commit. */
  async push(files: Readonly<Record<string, string | null>>, message = 'change'): Promise<string> {
    await this.work.write(files);
    const commit = await this.work.commit(message);
    await this.work.git('push', '--quiet', this.#pushUrl, 'HEAD:main');
    return commit;
  }
}

/** Waits until `check` does not throw, looking often at first; fails with its last error. */
export async function eventually<T>(check: () => Promise<T> | T, timeoutMs = 45_000): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = 15; ; pauseMs = Math.min(150, pauseMs * 1.3)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

interface WorldOptions {
  readonly log?: Logger;
  readonly withCredentials?: boolean;
  /** A cluster that is there already; by default an embedded one is started. */
  readonly kubeconfig?: string | undefined;
  /** An engine that is there already. */
  readonly engine?: { readonly url: string; readonly token: string } | undefined;
  /** A git server that is there already. */
  readonly git?: { readonly url: string; readonly token: string } | undefined;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const toConsole = process.env['TEST_LOG']
    ? createLogger({ role: 'test', level: process.env['TEST_LOG'] })
    : silentLogger;
  const log = options.log ?? toConsole;
  const lifecycle = new Lifecycle(log);
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-world-'));
  lifecycle.onStop('folder', () => rm(dir, { recursive: true, force: true }));
  const files = { key: join(dir, 'key'), kubeconfig: join(dir, 'kubeconfig') };
  await writeFile(files.key, apiKey);
  if (options.kubeconfig) await copyFile(options.kubeconfig, files.kubeconfig);
  else {
    const cluster = await startCluster({ log });
    lifecycle.onStop('cluster', () => cluster.stop());
    await writeFile(files.kubeconfig, cluster.kubeconfig);
  }
  const client = new KubeClient(await loadKubeconfig(files.kubeconfig));
  lifecycle.onStop('client', () => client.close());
  const enginePort = await freePort();
  const own = options.git
    ? undefined
    : await gitServerRole.start(
        {
          gitPort: 0,
          gitHost: '127.0.0.1',
          gitDir: join(dir, 'git'),
          apiKeyFile: files.key,
          gitWebhookUrls: `http://127.0.0.1:${enginePort}/api/webhook`,
          gitWebhookSecretFile: undefined,
          gitPublicUrl: undefined,
        },
        { log, lifecycle },
      );
  const startEngine = async () => {
    const own = new Lifecycle(log);
    const settings = {
      enginePort,
      engineHost: '127.0.0.1',
      kubeconfigFile: files.kubeconfig,
      ...byKubeconfig,
      apiKeyFile: files.key,
      engineNamespace: 'argocd',
      engineDir: join(dir, 'engine'),
      enginePollSeconds: 120,
      engineWaveDelayMs: 20,
      engineLeaseSeconds: 30,
      engineWebhookSecretFile: undefined,
      engineAllowExec: false,
      enginePrograms: 'off',
      engineKustomizeRemotes: '',
      engineEvents: 'all',
      engineAllowFileRepositories: false,
    };
    const { url = '' } = await engineRole.start(settings, { log, lifecycle: own });
    return { url, stop: () => own.stop() };
  };
  const given = options.engine && { url: options.engine.url, stop: () => Promise.resolve() };
  let engine = given ?? (await startEngine());
  lifecycle.onStop('engine', () => engine.stop());
  const whileEngineIsAway = async (work: () => Promise<void>) => {
    await engine.stop();
    await work();
    engine = await startEngine();
  };
  const gitUrl = options.git?.url ?? own?.url ?? '';
  const tokens = { engine: options.engine?.token ?? apiKey, git: options.git?.token ?? apiKey };
  const parts = { dir, client, lifecycle, gitUrl, tokens, engineUrl: engine.url, whileEngineIsAway };
  const world = makeWorld(parts);
  if (options.withCredentials !== false) {
    const secret = credentials(gitUrl, tokens.git);
    await client.delete(refOf(secret)).catch(() => undefined); // left by an earlier run on a cluster that is kept
    await client.create(secret);
  }
  return world;
}

export function credentials(gitUrl: string, password = apiKey): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'built-in-git',
      namespace: 'argocd',
      labels: { 'argocd.argoproj.io/secret-type': 'repo-creds' },
    },
    stringData: { url: gitUrl, username: 'engine', password },
  };
}

function makeWorld(parts: {
  dir: string;
  client: KubeClient;
  lifecycle: Lifecycle;
  gitUrl: string;
  engineUrl: string;
  tokens: { readonly engine: string; readonly git: string };
  whileEngineIsAway: World['whileEngineIsAway'];
}): World {
  const { dir, client, lifecycle, gitUrl, engineUrl, tokens, whileEngineIsAway } = parts;
  const get = (ref: ResourceRef) =>
    client.get(ref).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  const appRef = (name: string) => ({
    group: 'argoproj.io',
    version: 'v1alpha1',
    kind: 'Application',
    namespace: 'argocd',
    name,
  });
  return {
    dir,
    client,
    engineUrl,
    gitUrl,
    whileEngineIsAway,
    get,
    async repository(name) {
      const url = `${gitUrl}/${name}.git`;
      return new Repository(await WorkingCopy.init(join(dir, 'work', name)), url, tokens.git);
    },
    async api(path, { token = tokens.engine, ...init } = {}) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
      const response = await fetch(engineUrl + path, { ...init, headers });
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    async application(name, spec, metadata = {}) {
      await client.create({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name, namespace: 'argocd', ...metadata },
        spec,
      });
    },
    async app(name) {
      return (await client.get(appRef(name))) as unknown as Application;
    },
    stop: () => lifecycle.stop(),
  };
}
