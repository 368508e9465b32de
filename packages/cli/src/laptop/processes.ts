// What runs, as a value: which process holds which roles. The supervisor starts exactly this.
import { runtimeComponents } from '@fairlead/contracts';
import type { Home } from '../home/index.ts';
import type { Ports } from './ports.ts';

export interface ProcessPlan {
  readonly name: string;
  readonly roles: readonly string[];
  /** Instead of the supervisor's: for a runtime of its own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly logsDir?: string;
}

/** In the order they need each other; in one process they start in this order. */
const clusterSide = ['cluster', 'git-server'] as const;
export const runtimeSide = runtimeComponents.filter((component) => component !== 'cluster');

/** Roles that need nobody's kubeconfig. */
export const startsFirst: readonly string[] = ['platform', ...clusterSide];

interface PlanOptions {
  readonly split: boolean;
  /** No runtime: platform, git server and cluster only, so that the set-up guide shows. */
  readonly empty: boolean;
}

export function planProcesses({ split, empty }: PlanOptions): ProcessPlan[] {
  const roles = empty ? [...clusterSide] : [...clusterSide, ...runtimeSide];
  const processes = split
    ? roles.map((role) => ({ name: role, roles: [role] }))
    : [{ name: empty ? 'cluster' : 'runtime', roles }];
  return [{ name: 'platform', roles: ['platform'] }, ...processes];
}

/** `host` is for people and their cookies: `localhost`, or the address where that name is unknown. */
export const urlsOf = (ports: Ports, host: string) => ({
  platform: `http://${host}:${ports.platform}`,
  cluster: `https://127.0.0.1:${ports.cluster}`,
  engine: `http://127.0.0.1:${ports.engine}`,
  git: `http://127.0.0.1:${ports.git}`,
  appProxy: `http://127.0.0.1:${ports.appProxy}`,
});

interface EnvironmentOptions {
  readonly home: Home;
  readonly ports: Ports;
  readonly urls: ReturnType<typeof urlsOf>;
  readonly databaseUrl: string;
  readonly webDir: string;
}

/** The settings of all roles as environment variables; each role reads the ones it knows. */
export function roleEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { home, ports, urls, databaseUrl, webDir } = options;
  return {
    FAIRLEAD_PLATFORM_PORT: String(ports.platform),
    FAIRLEAD_PLATFORM_URL: urls.platform,
    FAIRLEAD_PLATFORM_KEY_FILE: `${home.dataDir}/platform-key.json`,
    FAIRLEAD_DATABASE_URL: databaseUrl,
    FAIRLEAD_WEB_DIR: webDir,
    FAIRLEAD_API_KEY_FILE: home.apiKeyFile,
    FAIRLEAD_CLUSTER_PORT: String(ports.cluster),
    FAIRLEAD_CLUSTER_DIR: `${home.dataDir}/cluster`,
    FAIRLEAD_KUBECONFIG_FILE: home.kubeconfigFile,
    FAIRLEAD_GIT_PORT: String(ports.git),
    FAIRLEAD_GIT_DIR: `${home.dataDir}/git`,
    FAIRLEAD_GIT_WEBHOOK_URLS: `${urls.engine}/api/webhook`,
    FAIRLEAD_ENGINE_PORT: String(ports.engine),
    FAIRLEAD_ENGINE_DIR: `${home.dataDir}/engine`,
    FAIRLEAD_ENGINE_PROGRAMS: 'offline',
    FAIRLEAD_ENGINE_URL: urls.engine,
    FAIRLEAD_ENGINE_TOKEN_FILE: home.apiKeyFile,
    FAIRLEAD_APP_PROXY_PORT: String(ports.appProxy),
    FAIRLEAD_APP_PROXY_URL: urls.appProxy,
    FAIRLEAD_APP_PROXY_DIR: `${home.dataDir}/app-proxy`,
    FAIRLEAD_COMPONENT_LOGS_DIR: home.logsDir,
    FAIRLEAD_ANNOUNCING_GIT_URL: urls.git,
    FAIRLEAD_REPORTER_DIR: `${home.dataDir}/reporter`,
    FAIRLEAD_SOURCE_SERVER_PORT: String(ports.sourceServer),
    FAIRLEAD_SOURCE_SERVER_URL: `http://127.0.0.1:${ports.sourceServer}`,
    FAIRLEAD_SOURCE_SERVER_DIR: `${home.dataDir}/source-server`,
    FAIRLEAD_ROUTER_PORT: String(ports.router),
    FAIRLEAD_ROUTER_URL: `http://127.0.0.1:${ports.router}`,
    FAIRLEAD_EMBEDDED_CLUSTER: 'true',
    ...probeEnvironment(ports),
  };
}

/** Components that serve nothing but probes: where they listen, and where the reporter asks them. */
export function probeEnvironment(
  ports: Pick<Ports, 'tunnelClient' | 'resourceReporter' | 'changeRevision'>,
): Record<string, string> {
  const url = (port: number) => `http://127.0.0.1:${port}`;
  return {
    FAIRLEAD_TUNNEL_CLIENT_PORT: String(ports.tunnelClient),
    FAIRLEAD_TUNNEL_CLIENT_URL: url(ports.tunnelClient),
    FAIRLEAD_RESOURCE_REPORTER_PORT: String(ports.resourceReporter),
    FAIRLEAD_RESOURCE_REPORTER_URL: url(ports.resourceReporter),
    FAIRLEAD_CHANGE_REVISION_PORT: String(ports.changeRevision),
    FAIRLEAD_CHANGE_REVISION_URL: url(ports.changeRevision),
  };
}
