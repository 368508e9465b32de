// A world whose engines come and go, each behind a proxy of its own that sees and may cut its writes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Lifecycle, silentLogger } from '@fairlead/base';
import { engineRole } from '@fairlead/engine';
import { credentials, startWorld, type World } from './world.ts';
import { type Cut, WriteProxy } from './write-proxy.ts';

export interface FaultWorld {
  readonly world: World;
  /** An engine; `name` keeps folders of engines that run at the same time apart. */
  engine(cut?: Cut, name?: string): Promise<{ readonly proxy: WriteProxy; stop(): Promise<void> }>;
}

const token = 'test-key';

/** Writes to Applications and to what applications deploy, not those of the set-up. */
const isOfApplications = (path: string) =>
  path.includes('/applications/') || /\/namespaces\/fault-[^/]+\/|\/namespaces$|\/namespaces\?/.test(path);

export async function startFaultWorld(): Promise<FaultWorld> {
  const world = await startWorld({ withCredentials: false, engine: { url: 'http://127.0.0.1:1', token } });
  const kubeconfig = await readFile(join(world.dir, 'kubeconfig'), 'utf8');
  const server = /server: "?(\S+?)"?$/m.exec(kubeconfig)?.[1] ?? '';
  const user = /token: (\S+)/.exec(kubeconfig)?.[1] ?? '';
  let count = 0;
  const faults: FaultWorld = {
    world,
    async engine(cut, name = 'engine') {
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
      const lifecycle = new Lifecycle(silentLogger);
      const settings = {
        enginePort: 0,
        engineHost: '127.0.0.1',
        kubeconfigFile: file,
        apiKeyFile: join(world.dir, 'key'),
        engineNamespace: 'argocd',
        engineDir: join(world.dir, name),
        enginePollSeconds: 2,
        engineWaveDelayMs: 0,
        engineWebhookSecretFile: undefined,
        engineAllowFileRepositories: false,
      };
      const starting = engineRole.start(settings, { log: silentLogger, lifecycle });
      await Promise.race([starting, proxy.dead]);
      starting.catch(() => undefined); // a cut may come before the engine is up
      return {
        proxy,
        async stop() {
          proxy.stop();
          await lifecycle.stop();
        },
      };
    },
  };
  // The first engine makes namespace and definitions.
  await (await faults.engine()).stop();
  await world.client.create(credentials(world.gitUrl));
  return faults;
}
