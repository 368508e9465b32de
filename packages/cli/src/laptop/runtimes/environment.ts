// A runtime beside the first one, as roles and settings. It shares nothing with the first: another cluster, another engine
// token, other ports; it knows of the platform only what its identity says.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { randomToken } from '@fairlead/base';
import { prepareRuntimeHome, type RuntimeHome } from '../../home/index.ts';
import type { RuntimePorts } from '../ports.ts';
import { type ProcessPlan, probeEnvironment, runtimeSide } from '../processes.ts';

/** No webhook reaches it: the git server of the laptop tells the first runtime only. */
const pollSeconds = 5;

export const processName = (runtime: string) => `runtime-${runtime}`;

export function planRuntime(place: RuntimeHome, ports: RuntimePorts): ProcessPlan {
  prepareRuntimeHome(place);
  ensureEngineToken(place.engineTokenFile);
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const env = {
    FAIRLEAD_LOG_DIR: place.logsDir,
    FAIRLEAD_API_KEY_FILE: place.engineTokenFile,
    FAIRLEAD_CLUSTER_PORT: String(ports.cluster),
    FAIRLEAD_CLUSTER_DIR: `${place.dataDir}/cluster`,
    FAIRLEAD_KUBECONFIG_FILE: place.kubeconfigFile,
    FAIRLEAD_ENGINE_PORT: String(ports.engine),
    FAIRLEAD_ENGINE_DIR: `${place.dataDir}/engine`,
    FAIRLEAD_ENGINE_URL: url(ports.engine),
    FAIRLEAD_ENGINE_TOKEN_FILE: place.engineTokenFile,
    FAIRLEAD_ENGINE_POLL_SECONDS: String(pollSeconds),
    FAIRLEAD_APP_PROXY_PORT: String(ports.appProxy),
    FAIRLEAD_APP_PROXY_URL: url(ports.appProxy),
    FAIRLEAD_APP_PROXY_DIR: `${place.dataDir}/app-proxy`,
    FAIRLEAD_COMPONENT_LOGS_DIR: place.logsDir,
    FAIRLEAD_REPORTER_DIR: `${place.dataDir}/reporter`,
    FAIRLEAD_SOURCE_SERVER_PORT: String(ports.sourceServer),
    FAIRLEAD_SOURCE_SERVER_URL: url(ports.sourceServer),
    FAIRLEAD_SOURCE_SERVER_DIR: `${place.dataDir}/source-server`,
    FAIRLEAD_ROUTER_PORT: String(ports.router),
    FAIRLEAD_ROUTER_URL: url(ports.router),
    FAIRLEAD_EMBEDDED_CLUSTER: 'true',
    ...probeEnvironment(ports),
  };
  return { name: processName(place.name), roles: ['cluster', ...runtimeSide], env, logsDir: place.logsDir };
}

function ensureEngineToken(file: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8').trim() !== '') return;
  writeFileSync(file, `${randomToken(24)}\n`, { mode: 0o600 });
}
