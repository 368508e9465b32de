// All addresses of the UI. Pages load on demand; the frame and what they share comes first.
import { createRoute, createRouter } from '@tanstack/react-router';
import { ErrorPage, NotFoundPage, pageScrollId } from '../features/frame/index.ts';
import { audit, home, notifications, settings, settingsSection, signIn } from './account-routes.tsx';
import {
  application,
  applications,
  clusters,
  gitSources,
  newApplication,
  plan,
  runtime,
  runtimes,
  topology,
} from './delivery-routes.tsx';
import { frame, type RouterContext, root } from './root.tsx';
import { formatQuery, parseQuery } from './search-text.ts';

const nowhere = createRoute({ getParentRoute: () => frame, path: '$', component: NotFoundPage });

const pages = [
  ...([home, applications, newApplication, application, runtimes, runtime, gitSources, clusters, topology] as const),
  ...([plan, audit, notifications, settings, settingsSection, nowhere] as const),
] as const;

export function createAppRouter(context: RouterContext) {
  return createRouter({
    context,
    routeTree: root.addChildren([signIn, frame.addChildren(pages)]),
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
