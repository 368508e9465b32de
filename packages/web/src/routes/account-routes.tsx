// Sign-in, and the pages about the account as a whole.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import {
  type AuditFilter,
  auditQuery,
  type NotificationsSearch,
  notificationsQuery,
  readAuditFilter,
  readNotificationsSearch,
  recentDeploymentsQuery,
  summaryQuery,
} from '../api/index.ts';
import { frame, root } from './root.tsx';
import { soon } from './soon.ts';

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (query): { code?: string; next?: string } => ({
    ...(typeof query['code'] === 'string' && { code: query['code'] }),
    ...(typeof query['next'] === 'string' && { next: query['next'] }),
  }),
  component: lazyRouteComponent(() => import('../features/sign-in/index.ts'), 'SignInPage'),
});

const homeDays = [7, 14, 30] as const;
const defaultDays = 14;

export const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  validateSearch: (query): { days?: (typeof homeDays)[number] } => {
    const days = homeDays.find((count) => String(count) === String(query['days']));
    return days && days !== defaultDays ? { days } : {};
  },
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { days = defaultDays }, context: { api, queryClient, now } }) =>
    soon(
      queryClient.prefetchQuery(summaryQuery(api)),
      queryClient.prefetchQuery(recentDeploymentsQuery(api, days * 2, now)),
    ),
  component: lazyRouteComponent(() => import('../features/home/index.ts'), 'HomePage'),
});

export const audit = createRoute({
  getParentRoute: () => frame,
  path: '/audit',
  validateSearch: (query): AuditFilter => readAuditFilter(query),
  loaderDeps: ({ search }) => search,
  loader: ({ deps, context: { api, queryClient } }) => {
    void queryClient.prefetchInfiniteQuery(auditQuery(api, deps));
  },
  component: lazyRouteComponent(() => import('../features/audit/index.ts'), 'AuditPage'),
});

export const notifications = createRoute({
  getParentRoute: () => frame,
  path: '/notifications',
  validateSearch: (query): NotificationsSearch => readNotificationsSearch(query),
  loaderDeps: ({ search }) => search,
  loader: ({ deps, context: { api, queryClient } }) => {
    void queryClient.prefetchInfiniteQuery(notificationsQuery(api, deps));
  },
  component: lazyRouteComponent(() => import('../features/notifications/index.ts'), 'NotificationsPage'),
});

export const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/$section', params: { section: 'account' }, replace: true });
  },
});

export const settingsSection = createRoute({
  getParentRoute: () => frame,
  path: '/settings/$section',
  component: lazyRouteComponent(() => import('../features/settings/index.ts'), 'SettingsPage'),
});
