// The whole house over real sockets: embedded cluster, git server, engine, platform on PostgreSQL, and the runtime's
// roles, wired as a laptop has them.
import { join } from 'node:path';
import { createLogger, Lifecycle, type Logger, silentLogger } from '@fairlead/base';
import { gitTokenPurpose, seal } from '@fairlead/contracts';
import type { ConnectionPlace } from '@fairlead/kube';
import { startTestPlatform, type TestPlatform } from '@fairlead/platform/testing';
import {
  applicationReporterRole,
  appProxyRole,
  registerRuntime,
  requestRouterRole,
  sourceServerRole,
  tunnelClientRole,
} from '@fairlead/runtime';
import { byKubeconfig } from '../by-kubeconfig.ts';
import { startWorld, type World } from '../engine/world.ts';

export interface House {
  readonly world: World;
  readonly platform: TestPlatform;
  readonly urls: Readonly<Record<'sourceServer' | 'appProxy' | 'router' | 'tunnelClient', string>>;
  /** Ends all roles of the runtime, as a crash of its process would, and starts them anew. */
  restartRuntime(): Promise<void>;
  startRuntime(): Promise<void>;
  stopRuntime(): Promise<void>;
  stop(): Promise<void>;
}

interface HouseOptions {
  readonly log?: Logger;
  /** How the roles reach the engine, when not by its own token: settings of theirs, once the world is there. */
  readonly engine?: (world: World) => Promise<EngineAccess>;
  /** How the roles of the runtime find the cluster, when not by its kubeconfig. */
  readonly place?: (world: World) => Promise<ConnectionPlace>;
  /** A cluster and an engine that are there already. */
  readonly world?: Parameters<typeof startWorld>[0];
}

type EngineAccess = Partial<
  Record<'engineUrl' | 'engineTokenFile' | 'enginePasswordFile' | 'engineUser' | 'engineCaFile', string>
>;

export async function startHouse(options: HouseOptions = {}): Promise<House> {
  const toConsole = process.env['TEST_LOG']
    ? createLogger({ role: 'test', level: process.env['TEST_LOG'] })
    : silentLogger;
  const log = options.log ?? toConsole;
  const [world, platform] = await Promise.all([startWorld({ log, ...options.world }), startTestPlatform({}, log)]);
  const urls = { sourceServer: '', appProxy: '', router: '', tunnelClient: '' };
  let lifecycle = new Lifecycle(log);
  const cluster = {
    ...((await options.place?.(world)) ?? { ...byKubeconfig, kubeconfigFile: join(world.dir, 'kubeconfig') }),
    runtimeNamespace: 'fairlead',
  };
  const engine = {
    ...{ engineUrl: undefined, engineTokenFile: undefined, enginePasswordFile: undefined, engineCaFile: undefined },
    engineUser: 'admin',
    ...((await options.engine?.(world)) ?? { engineUrl: world.engineUrl, engineTokenFile: join(world.dir, 'key') }),
  };

  const startRuntime = async () => {
    lifecycle = new Lifecycle(log);
    const context = { log, lifecycle };
    const sourceServerDir = join(world.dir, 'source-server');
    const sourceServer = { sourceServerPort: 0, sourceServerHost: '127.0.0.1', sourceServerDir };
    const started = await sourceServerRole.start({ ...cluster, ...sourceServer, engineNamespace: 'argocd' }, context);
    urls.sourceServer = started.url ?? '';
    const appProxy = {
      sourceServerUrl: urls.sourceServer,
      appProxyPort: 0,
      appProxyHost: '127.0.0.1',
      appProxyDir: undefined,
      componentLogsDir: undefined,
      engineNamespace: 'argocd',
      ...cluster,
      ...engine,
    };
    urls.appProxy = (await appProxyRole.start(appProxy, context)).url ?? '';
    const router = { routerPort: 0, routerHost: '127.0.0.1', appProxyUrl: urls.appProxy };
    const targets = { workflowsUrl: undefined, eventSourceUrl: undefined };
    urls.router = (await requestRouterRole.start({ ...router, ...targets }, context)).url ?? '';
    const tunnelClient = { ...cluster, routerUrl: urls.router, tunnelClientPort: 0 };
    urls.tunnelClient = (await tunnelClientRole.start(tunnelClient, context)).url ?? '';
    const reporter = { engineNamespace: 'argocd', reporterShards: 1, reporterShard: 0, reporterPort: undefined };
    const spool = { reporterDir: join(world.dir, 'reporter'), reporterSpoolMiB: 16, announcingGitUrl: world.gitUrl };
    const probed = {
      sourceServerUrl: urls.sourceServer,
      appProxyUrl: urls.appProxy,
      routerUrl: urls.router,
      tunnelClientUrl: urls.tunnelClient,
      ...{ resourceReporterUrl: undefined, changeRevisionUrl: undefined, embeddedCluster: true },
    };
    await applicationReporterRole.start({ ...cluster, ...engine, ...reporter, ...spool, ...probed }, context);
  };
  const stopRuntime = () => lifecycle.stop();

  return {
    world,
    platform,
    urls,
    startRuntime,
    stopRuntime,
    async restartRuntime() {
      await stopRuntime();
      await startRuntime();
    },
    async stop() {
      await stopRuntime();
      await platform.stop();
      await world.stop();
    },
  };
}

/** `platformUrl`: where the runtime reaches the platform, when something stands between. */
export async function registerHosted({ world, platform }: House, platformUrl = platform.url): Promise<void> {
  const { installToken } = await platform.api.call('createRuntime', { body: { name: 'hosted', kind: 'hosted' } });
  await registerRuntime({ client: world.client, platformUrl, installToken });
}

/** The signed-in user's token for the built-in git server, sealed to the runtime `hosted`. */
export async function giveGitToken({ world, platform: { api } }: House): Promise<void> {
  const { host } = new URL(world.gitUrl);
  const runtime = { runtime: 'hosted' };
  const { key } = await api.call('getSealingKey', { params: runtime });
  const { user } = await api.call('me', {});
  const sealed = await seal('test-key', { to: key, purpose: gitTokenPurpose({ userId: user.id, host }) });
  const body = { provider: 'builtin', url: world.gitUrl, sealed } as const;
  await api.call('putGitToken', { params: { ...runtime, host }, body });
}
