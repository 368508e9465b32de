// A route is declared once, as data: the server mounts it, the typed client calls it, OpenAPI describes it.
import type { Static, TObject, TSchema } from 'typebox';

/** Who may call: anybody, a signed-in user (session cookie or API key), or a runtime (token signed with its key). */
export type RouteAuth = 'none' | 'user' | 'runtime';

/**
 * What a signed-in user must be or have: `member` of the account, `admin` of it, or the right to an action on the
 * application that the path names (named as access rules name them).
 */
export type RouteNeed = 'member' | 'admin' | ApplicationAction;

export const applicationActions = [
  'VIEW',
  'REFRESH',
  'SYNC',
  'TERMINATE_SYNC',
  'ROLLBACK',
  'VIEW_POD_LOGS',
  'DELETE',
] as const;
export type ApplicationAction = (typeof applicationActions)[number];

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly auth: RouteAuth;
  /** Of every route for users; the platform does not start with one that does not say. */
  readonly needs?: RouteNeed;
  readonly status?: 200 | 201 | 202 | 204;
  readonly params?: TObject;
  /** Members are strings on the wire; integers and booleans are converted by the server. */
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly response: TSchema;
  /** Media types of an answer that is text and not JSON; `response` is then a string. */
  readonly produces?: readonly string[];
}

export const route = <const R extends Route>(declared: R): R => declared;

type Part<S> = S extends TSchema ? Static<S> : undefined;
export type RouteParams<R extends Route> = Part<R['params']>;
export type RouteQuery<R extends Route> = Part<R['query']>;
export type RouteBody<R extends Route> = Part<R['body']>;
export type RouteResponse<R extends Route> = Static<R['response']>;

type Given<K extends string, T> = [T] extends [undefined] ? unknown : { readonly [P in K]: T };
/** What a call of the route needs: `params`, `query` (optional as a whole) and `body`, where it has them. */
export type RouteInput<R extends Route> = Given<'params', RouteParams<R>> &
  (RouteQuery<R> extends undefined ? unknown : { readonly query?: RouteQuery<R> }) &
  Given<'body', RouteBody<R>>;
