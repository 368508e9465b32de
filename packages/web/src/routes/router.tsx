// All addresses of the UI. Pages load on demand; the frame and what they share comes first.
import type { ApiClient } from '@fairlead/contracts';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import {
  type ApplicationFilters,
  type ApplicationSearch,
  applicationQuery,
  applicationsQuery,
  readApplicationSearch,
  readFilters,
  runtimesQuery,
} from '../api/index.ts';
import { ErrorPage, Frame, NotFoundPage, pageScrollId } from '../features/frame/index.ts';
import { formatQuery, parseQuery } from './search-text.ts';

/** Loaders only ask early, beside the page's code; what comes, and what fails, is the page's own to show. */
export interface RouterContext {
  readonly api: ApiClient;
  readonly queryClient: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFoundPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (query): { code?: string; next?: string } => ({
    ...(typeof query['code'] === 'string' && { code: query['code'] }),
    ...(typeof query['next'] === 'string' && { next: query['next'] }),
  }),
  component: lazyRouteComponent(() => import('../features/sign-in/index.ts'), 'SignInPage'),
});

const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame });

const start = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/applications', replace: true });
  },
});

const applications = createRoute({
  getParentRoute: () => frame,
  path: '/applications',
  validateSearch: (query): ApplicationFilters => readFilters(query),
  loaderDeps: ({ search }) => search,
  loader: ({ deps, context: { api, queryClient } }) => {
    void queryClient.prefetchInfiniteQuery(applicationsQuery(api, queryClient, deps));
  },
  component: lazyRouteComponent(() => import('../features/applications/index.ts'), 'ApplicationsPage'),
});

const application = createRoute({
  getParentRoute: () => frame,
  path: '/applications/$runtime/$namespace/$name',
  validateSearch: (query): ApplicationSearch => readApplicationSearch(query),
  loader: ({ params, context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(applicationQuery(api, params));
  },
  component: lazyRouteComponent(() => import('../features/application/index.ts'), 'ApplicationPage'),
});

const runtimes = createRoute({
  getParentRoute: () => frame,
  path: '/runtimes',
  loader: ({ context: { api, queryClient } }) => {
    void queryClient.prefetchQuery(runtimesQuery(api));
  },
  component: lazyRouteComponent(() => import('../features/runtimes/index.ts'), 'RuntimesPage'),
});

const nowhere = createRoute({ getParentRoute: () => frame, path: '$', component: NotFoundPage });

export function createAppRouter(context: RouterContext) {
  return createRouter({
    context,
    routeTree: root.addChildren([signIn, frame.addChildren([start, applications, application, runtimes, nowhere])]),
    parseSearch: parseQuery,
    stringifySearch: formatQuery,
    defaultErrorComponent: ErrorPage,
    defaultPreload: 'intent',
    scrollRestoration: true,
    scrollToTopSelectors: [`#${pageScrollId}`],
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
