// Every role that `fairlead role NAME` can start. Loaded on demand: a process holds only the code of its roles.
import { ConfigError, type Role } from '@fairlead/base';

const loaders: Readonly<Record<string, () => Promise<Role>>> = {
  platform: async () => (await import('@fairlead/platform')).platformRole,
  cluster: async () => (await import('@fairlead/cluster')).clusterRole,
  'git-server': async () => (await import('@fairlead/git')).gitServerRole,
  engine: async () => (await import('@fairlead/engine')).engineRole,
  'source-server': async () => (await import('@fairlead/runtime')).sourceServerRole,
  'app-proxy': async () => (await import('@fairlead/runtime')).appProxyRole,
  'request-router': async () => (await import('@fairlead/runtime')).requestRouterRole,
  'tunnel-client': async () => (await import('@fairlead/runtime')).tunnelClientRole,
  'resource-reporter': async () => (await import('@fairlead/runtime')).resourceReporterRole,
  'change-revision': async () => (await import('@fairlead/runtime')).changeRevisionRole,
  'application-reporter': async () => (await import('@fairlead/runtime')).applicationReporterRole,
};

export const roleNames: readonly string[] = Object.keys(loaders);

export function loadRole(name: string): Promise<Role> {
  const load = loaders[name];
  if (!load) throw new ConfigError(`there is no role ${name}; known: ${roleNames.join(', ')}`);
  return load();
}
