// The composition root of the embedded cluster: storage, registry, API server, controllers and node, in this order.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Clock,
  type Config,
  Lifecycle,
  type Logger,
  type Settings,
  silentLogger,
  systemClock,
} from '@fairlead/base';
import { startApiServer } from '../apiserver/index.ts';
import { type ControllerOptions, startControllers } from '../controllers/index.ts';
import { Objects } from '../objects/index.ts';
import { kubeconfigText, loadIdentity, writeSecret } from '../pki/index.ts';
import { Registry } from '../registry/index.ts';
import { Store } from '../storage/index.ts';

const settings = {
  clusterHost: { type: 'string', help: 'address the Kubernetes API listens on', default: '127.0.0.1' },
  clusterPort: { type: 'integer', help: 'port of the Kubernetes API; 0 picks a free one', default: 0 },
  clusterDir: { type: 'string', help: 'folder for the log, snapshots and certificates' },
  kubeconfigFile: { type: 'string', help: 'where to write a kubeconfig for this cluster', optional: true },
  clusterFsync: { type: 'boolean', help: 'wait for the disk before answering a write', default: true },
  clusterLoadBalancer: { type: 'boolean', help: 'give Services and Ingresses an address', default: true },
} as const satisfies Settings;

interface RoleContext {
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
}

export const clusterRole = {
  name: 'cluster',
  settings,
  async start(config: Config<typeof settings>, { log, lifecycle }: RoleContext): Promise<{ url: string }> {
    const { url, kubeconfig } = await compose(
      { ...config, clock: systemClock, simulation: {}, isActive: true },
      { log, lifecycle },
    );
    if (config.kubeconfigFile) await writeSecret(config.kubeconfigFile, kubeconfig);
    log.info({ url, dir: config.clusterDir }, 'cluster is ready');
    return { url };
  },
};

interface Composition {
  readonly clusterHost: string;
  readonly clusterPort: number;
  readonly clusterDir: string;
  readonly clusterFsync: boolean;
  readonly clusterLoadBalancer: boolean;
  readonly clock: Clock;
  readonly simulation: ControllerOptions['simulation'];
  readonly isActive: boolean;
}

async function compose(
  config: Composition,
  { log, lifecycle }: RoleContext,
): Promise<{ url: string; kubeconfig: string }> {
  const { clock, clusterDir: dir, clusterHost: host } = config;
  const identity = await loadIdentity(join(dir, 'pki'), { host, clock });
  const store = await Store.open({ dir: join(dir, 'storage'), fsync: config.clusterFsync, log });
  lifecycle.onStop('storage', () => store.close());
  const objects = new Objects({ store, registry: Registry.withBuiltIns(), clock });
  const controllers = await startControllers({
    objects,
    clock,
    log,
    authority: identity.authority.certificate,
    simulation: config.simulation,
    isActive: config.isActive,
    hasLoadBalancer: config.clusterLoadBalancer,
  });
  lifecycle.onStop('controllers', () => controllers.stop());
  const { certificate, key } = identity.server;
  const server = await startApiServer({
    objects,
    clock,
    log,
    host,
    port: config.clusterPort,
    certificate,
    key,
    token: identity.token,
    signingKey: identity.signingKey,
  });
  lifecycle.onStop('api server', () => server.stop());
  const url = `https://${host === '0.0.0.0' ? '127.0.0.1' : host}:${server.port}`;
  return { url, kubeconfig: kubeconfigText(identity, url) };
}

export interface StartClusterOptions {
  /** Kept when given; a temporary folder is removed at the end. */
  readonly dir?: string;
  readonly port?: number;
  readonly fsync?: boolean;
  readonly log?: Logger;
  readonly simulation?: ControllerOptions['simulation'];
  /** 'none': the API alone, nothing acts on what is stored. */
  readonly controllers?: 'all' | 'none';
  /** Without it, as in a cluster that nobody gave one, what waits for an address waits on. */
  readonly loadBalancer?: boolean;
}

export interface RunningCluster {
  readonly url: string;
  /** The text of a kubeconfig. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** A whole cluster for tests and tools: on a free port, in a folder of its own. */
export async function startCluster(options: StartClusterOptions = {}): Promise<RunningCluster> {
  const log = options.log ?? silentLogger;
  const lifecycle = new Lifecycle(log);
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'fairlead-cluster-')));
  if (!options.dir) lifecycle.onStop('folder', () => rm(dir, { recursive: true, force: true }));
  const config = {
    clusterHost: '127.0.0.1',
    clusterPort: options.port ?? 0,
    clusterDir: dir,
    clusterFsync: options.fsync ?? false,
    clusterLoadBalancer: options.loadBalancer ?? false,
    clock: systemClock,
    simulation: options.simulation ?? {},
    isActive: options.controllers !== 'none',
  };
  try {
    const { url, kubeconfig } = await compose(config, { log, lifecycle });
    return { url, kubeconfig, stop: () => lifecycle.stop() };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}
