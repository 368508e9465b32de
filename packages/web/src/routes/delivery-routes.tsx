// Applications and runtimes.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  type ApplicationSearch,
  type ApplicationsSearch,
  applicationQuery,
  applicationsQuery,
  clustersQuery,
  filtersOf,
  gitSourcesQuery,
  type PlanSearch,
  readApplicationSearch,
  readApplicationsSearch,
  readPlanSearch,
  runtimesQuery,
} from '../api/index.ts';
import { frame } from './root.tsx';
import { soon } from './soon.ts';

export const applications = createRoute({
  getParentRoute: () => frame,
  path: '/applications',
  validateSearch: (query): ApplicationsSearch => readApplicationsSearch(query),
  loaderDeps: ({ search }) => filtersOf(search),
  loader: ({ deps, context: { api, queryClient } }) =>
    soon(queryClient.prefetchInfiniteQuery(applicationsQuery(api, queryClient, deps))),
  component: lazyRouteComponent(() => import('../features/applications/index.ts'), 'ApplicationsPage'),
});

export const application = createRoute({
  getParentRoute: () => frame,
  path: '/applications/$runtime/$namespace/$name',
  validateSearch: (query): ApplicationSearch => readApplicationSearch(query),
  loader: ({ params, context: { api, queryClient } }) => soon(queryClient.prefetchQuery(applicationQuery(api, params))),
  component: lazyRouteComponent(() => import('../features/application/index.ts'), 'ApplicationPage'),
});

export const runtimes = createRoute({
  getParentRoute: () => frame,
  path: '/runtimes',
  validateSearch: (query): { act?: 'add' } => (query['act'] === 'add' ? { act: 'add' } : {}),
  loader: ({ context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(runtimesQuery(api));
  },
  component: lazyRouteComponent(() => import('../features/runtimes/index.ts'), 'RuntimesPage'),
});

export const runtime = createRoute({
  getParentRoute: () => frame,
  path: '/runtimes/$runtime',
  loader: ({ context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(runtimesQuery(api));
    void queryClient.prefetchQuery(clustersQuery(api));
    void queryClient.prefetchQuery(gitSourcesQuery(api));
  },
  component: lazyRouteComponent(() => import('../features/runtimes/index.ts'), 'RuntimePage'),
});

export const topology = createRoute({
  getParentRoute: () => frame,
  path: '/topology',
  loader: ({ context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(clustersQuery(api));
  },
  component: lazyRouteComponent(() => import('../features/runtimes/index.ts'), 'TopologyPage'),
});

export const clusters = createRoute({
  getParentRoute: () => frame,
  path: '/clusters',
  loader: ({ context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(clustersQuery(api));
  },
  component: lazyRouteComponent(() => import('../features/clusters/index.ts'), 'ClustersPage'),
});

export const gitSources = createRoute({
  getParentRoute: () => frame,
  path: '/git-sources',
  loader: ({ context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(gitSourcesQuery(api));
  },
  component: lazyRouteComponent(() => import('../features/git-sources/index.ts'), 'GitSourcesPage'),
});

export const newApplication = createRoute({
  getParentRoute: () => frame,
  path: '/applications/new',
  loader: ({ context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(gitSourcesQuery(api));
  },
  component: lazyRouteComponent(() => import('../features/definition/index.ts'), 'CreatePage'),
});

export const plan = createRoute({
  getParentRoute: () => frame,
  path: '/plan',
  validateSearch: (query): PlanSearch => readPlanSearch(query),
  loader: ({ context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(runtimesQuery(api));
  },
  component: lazyRouteComponent(() => import('../features/plan/index.ts'), 'PlanPage'),
});
