// A world whose engines come and go, each behind a proxy of its own that sees and may cut its writes.
import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Lifecycle, silentLogger } from '@fairlead/base';
import { engineRole } from '@fairlead/engine';
import { byKubeconfig } from '../by-kubeconfig.ts';
import { spawnRole } from '../role-process.ts';
import { credentials, startWorld, type World } from './world.ts';
import { type Cut, WriteProxy } from './write-proxy.ts';

export interface FaultWorld {
  readonly world: World;
  /** An engine; `name` keeps folders of engines that run at the same time apart. */
  engine(
    cut?: Cut,
    name?: string,
  ): Promise<{ readonly proxy: WriteProxy; readonly url: string; stop(): Promise<void> }>;
  /** An engine in a process of its own, which can be frozen and killed. */
  engineProcess(name: string, times: { leaseSeconds: number; pollSeconds?: number }): Promise<EngineProcess>;
}

export interface EngineProcess {
  readonly proxy: WriteProxy;
  readonly url: string;
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Whether it is the one that acts. */
  isActing(): Promise<boolean>;
  stop(): Promise<void>;
}

export const token = 'test-key';

/** Writes to Applications and to what applications deploy, not those of the set-up. */
const isOfApplications = (path: string) =>
  path.includes('/applications/') || /\/namespaces\/fault-[^/]+\/|\/namespaces$|\/namespaces\?/.test(path);

export async function startFaultWorld(): Promise<FaultWorld> {
  const world = await startWorld({ withCredentials: false, engine: { url: 'http://127.0.0.1:1', token } });
  const kubeconfig = await readFile(join(world.dir, 'kubeconfig'), 'utf8');
  const server = /server: "?(\S+?)"?$/m.exec(kubeconfig)?.[1] ?? '';
  const user = /token: (\S+)/.exec(kubeconfig)?.[1] ?? '';
  let count = 0;
  const behindProxy = async (cut?: Cut) => {
    const proxy = await WriteProxy.start(server, isOfApplications, cut);
    const file = join(world.dir, `kubeconfig-${++count}`);
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: proxy.url } }],
      users: [{ name: 'u', user: { token: user } }],
    };
    await writeFile(file, JSON.stringify(config));
    return { proxy, file };
  };
  const faults: FaultWorld = {
    world,
    async engine(cut, name = 'engine') {
      const { proxy, file } = await behindProxy(cut);
      const lifecycle = new Lifecycle(silentLogger);
      const settings = {
        enginePort: 0,
        engineHost: '127.0.0.1',
        kubeconfigFile: file,
        ...byKubeconfig,
        apiKeyFile: join(world.dir, 'key'),
        engineNamespace: 'argocd',
        engineDir: join(world.dir, name),
        enginePollSeconds: 2,
        engineWaveDelayMs: 0,
        engineLeaseSeconds: 30,
        engineWebhookSecretFile: undefined,
        engineAllowExec: false,
        enginePrograms: 'off',
        engineKustomizeRemotes: '',
        engineEvents: 'all',
        engineAllowFileRepositories: false,
      };
      const starting = engineRole.start(settings, { log: silentLogger, lifecycle });
      const started = await Promise.race([starting, proxy.dead]);
      starting.catch(() => undefined); // a cut may come before the engine is up
      return {
        proxy,
        url: started?.url ?? '',
        async stop() {
          proxy.stop();
          await lifecycle.stop();
        },
      };
    },
    async engineProcess(name, { leaseSeconds, pollSeconds = 2 }) {
      const { proxy, file } = await behindProxy();
      const settings = {
        'engine-port': '0',
        'kubeconfig-file': file,
        'api-key-file': join(world.dir, 'key'),
        'engine-dir': join(world.dir, name),
        'engine-poll-seconds': String(pollSeconds),
        'engine-wave-delay-ms': '0',
        'engine-lease-seconds': String(leaseSeconds),
      };
      return startEngineProcess(settings, proxy);
    },
  };
  // The first engine makes namespace and definitions.
  await (await faults.engine()).stop();
  await world.client.create(credentials(world.gitUrl));
  return faults;
}

async function startEngineProcess(
  settings: Readonly<Record<string, string>>,
  proxy: WriteProxy,
): Promise<EngineProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawnRole('engine', flags, { stdout: 'pipe', stderr: 'inherit' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await listeningUrl(child);
  return {
    proxy,
    url,
    signal: (name) => void child.kill(name),
    isActing: async () => (await fetch(`${url}/readyz`)).ok,
    async stop() {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await exited;
      proxy.stop();
    },
  };
}

async function listeningUrl({ stdout }: ChildProcess): Promise<string> {
  for await (const line of stdout ? createInterface({ input: stdout }) : []) {
    const url = /"url":"([^"]+)"/.exec(line)?.[1];
    if (!url) continue;
    stdout?.resume();
    return url;
  }
  throw new Error('the engine ended before it listened');
}
