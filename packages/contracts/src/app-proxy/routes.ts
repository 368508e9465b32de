// The runtime's own API, reached through the tunnel or an ingress: request router → `/app-proxy/…`. Merged here, declared
// by noun in the files beside.
import { applicationActs } from './applications.ts';
import { definitionRoutes } from './definitions.ts';
import { gitTokenRoutes } from './git-tokens.ts';
import { repositoryRoutes } from './repositories.ts';
import { resourceRoutes } from './resources.ts';

export const appProxyRoutes = {
  ...applicationActs,
  ...resourceRoutes,
  ...gitTokenRoutes,
  ...definitionRoutes,
  ...repositoryRoutes,
} as const;

export type AppProxyRouteName = keyof typeof appProxyRoutes;
