// Applications and runtimes.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  type ApplicationSearch,
  type ApplicationsSearch,
  applicationQuery,
  applicationsQuery,
  filtersOf,
  readApplicationSearch,
  readApplicationsSearch,
  runtimesQuery,
} from '../api/index.ts';
import { frame } from './root.tsx';

export const applications = createRoute({
  getParentRoute: () => frame,
  path: '/applications',
  validateSearch: (query): ApplicationsSearch => readApplicationsSearch(query),
  loaderDeps: ({ search }) => filtersOf(search),
  loader: ({ deps, context: { api, queryClient } }) => {
    void queryClient.prefetchInfiniteQuery(applicationsQuery(api, queryClient, deps));
  },
  component: lazyRouteComponent(() => import('../features/applications/index.ts'), 'ApplicationsPage'),
});

export const application = createRoute({
  getParentRoute: () => frame,
  path: '/applications/$runtime/$namespace/$name',
  validateSearch: (query): ApplicationSearch => readApplicationSearch(query),
  loader: ({ params, context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(applicationQuery(api, params));
  },
  component: lazyRouteComponent(() => import('../features/application/index.ts'), 'ApplicationPage'),
});

export const runtimes = createRoute({
  getParentRoute: () => frame,
  path: '/runtimes',
  loader: ({ context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(runtimesQuery(api));
  },
  component: lazyRouteComponent(() => import('../features/runtimes/index.ts'), 'RuntimesPage'),
});
