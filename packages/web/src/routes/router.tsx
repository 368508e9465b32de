// All addresses of the UI. Pages load on demand; the frame and what they share comes first.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { type ApplicationFilters, type ApplicationSearch, readApplicationSearch, readFilters } from '../api/index.ts';
import { ErrorPage, Frame, NotFoundPage, pageScrollId } from '../features/frame/index.ts';
import { formatQuery, parseQuery } from './search-text.ts';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

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
  component: lazyRouteComponent(() => import('../features/applications/index.ts'), 'ApplicationsPage'),
});

const application = createRoute({
  getParentRoute: () => frame,
  path: '/applications/$runtime/$namespace/$name',
  validateSearch: (query): ApplicationSearch => readApplicationSearch(query),
  component: lazyRouteComponent(() => import('../features/application/index.ts'), 'ApplicationPage'),
});

const runtimes = createRoute({
  getParentRoute: () => frame,
  path: '/runtimes',
  component: lazyRouteComponent(() => import('../features/runtimes/index.ts'), 'RuntimesPage'),
});

const nowhere = createRoute({ getParentRoute: () => frame, path: '$', component: NotFoundPage });

export function createAppRouter() {
  return createRouter({
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
