// The runtime's own API, reached through the tunnel or an ingress: request router → `/app-proxy/…`. Merged here, declared
// by noun in the files beside.
import { accessRuleFileRoutes } from './access-rules.ts';
import { applicationActs } from './applications.ts';
import { clusterRoutes } from './clusters.ts';
import { componentRoutes } from './components.ts';
import { configurationRoutes } from './configuration.ts';
import { definitionRoutes } from './definitions.ts';
import { gitRightsRoutes } from './git-rights.ts';
import { gitSourceRoutes } from './git-sources.ts';
import { gitTokenRoutes } from './git-tokens.ts';
import { planRoutes } from './plans.ts';
import { repositoryRoutes } from './repositories.ts';
import { resourceRoutes } from './resources.ts';

export const appProxyRoutes = {
  ...applicationActs,
  ...resourceRoutes,
  ...gitTokenRoutes,
  ...gitRightsRoutes,
  ...definitionRoutes,
  ...repositoryRoutes,
  ...clusterRoutes,
  ...gitSourceRoutes,
  ...configurationRoutes,
  ...accessRuleFileRoutes,
  ...planRoutes,
  ...componentRoutes,
} as const;

export type AppProxyRouteName = keyof typeof appProxyRoutes;
