// A route of the runtime's app-proxy, as data: what the platform relays and what the app-proxy mounts come from it.
// The platform serves `/app-proxy/api/v1/applications/{namespace}/{name}/X` at
// `/api/v1/applications/{runtime}/{namespace}/{name}/X`, and any other `/app-proxy/api/v1/Y` at
// `/api/v1/runtimes/{runtime}/Y`, with the same schemas, for who has what `needs` says.
import type { Route, RouteNeed } from '../api/route.ts';

export const appProxyPrefix = '/app-proxy';
export const appProxyApi = `${appProxyPrefix}/api/v1`;
/** Where the routes on one application are. */
export const appProxyApplication = `${appProxyApi}/applications/{namespace}/{name}`;

export interface AppProxyRoute extends Route {
  readonly auth: 'user';
  /** What the platform demands of the caller: an action on the application in the path, or a role in the account. */
  readonly needs: RouteNeed;
  /** The verb of the assertion and of the audit log, e.g. `application.sync`. */
  readonly act: string;
  /** It changes nothing although it is no GET: it is not written into the audit log. */
  readonly reads?: true;
  /** The body carries something secret, sealed or not: it is never written into the audit log. */
  readonly secret?: true;
  /** Of the body of a JSON answer; default 1 MiB. */
  readonly maxAnswerBytes?: number;
}

export const appProxyRoute = <const R extends AppProxyRoute>(declared: R): R => declared;

/** What is streamed: `response` is then the schema of the data of one event, JSON. */
export const eventStream = ['text/event-stream'] as const;
export const isEventStream = ({ produces }: Pick<Route, 'produces'>): boolean => produces?.[0] === eventStream[0];

/**
 * What the assertion for a call names as its object: `argocd/guestbook-dev` for a route on an application, otherwise
 * the path below the API, e.g. `git-sources/demo`.
 */
export function assertedObject(route: Pick<Route, 'path'>, params: Readonly<Record<string, string>>): string {
  if (isOnApplication(route)) return `${params['namespace'] ?? ''}/${params['name'] ?? ''}`;
  const place = route.path.slice(appProxyApi.length + 1);
  return place.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}

export const isOnApplication = ({ path }: Pick<Route, 'path'>): boolean =>
  path === appProxyApplication || path.startsWith(`${appProxyApplication}/`);
