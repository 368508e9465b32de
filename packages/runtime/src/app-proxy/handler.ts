// What a handler of an app-proxy route is given and gives. Everything was checked before: the assertion is for this act on
// this object, and each part of the input against the schema of the route.
import type {
  AppProxyRouteName,
  AssertionClaims,
  appProxyRoutes,
  Route,
  RouteBody,
  RouteParams,
  RouteQuery,
  RouteResponse,
} from '@fairlead/contracts';

export interface HandlerInput<R extends Route> {
  readonly params: RouteParams<R>;
  readonly query: RouteQuery<R>;
  readonly body: RouteBody<R>;
  /** Who acts, in the words of the assertion. */
  readonly user: AssertionClaims;
  /** Aborts when the time of the act is over; of a stream, when its reader has left. */
  readonly signal: AbortSignal;
}

type Answer<R extends Route> = R['produces'] extends readonly ['text/event-stream']
  ? AsyncIterable<RouteResponse<R>>
  : RouteResponse<R>;
type Handler<R extends Route> = (input: HandlerInput<R>) => Promise<Answer<R>>;

/** One for each route of the contract: a missing one does not compile, and does not start. */
export type Handlers = { readonly [N in AppProxyRouteName]: Handler<(typeof appProxyRoutes)[N]> };
export type HandlersOf<N extends AppProxyRouteName> = Pick<Handlers, N>;

/** The person as people know them. */
export const nameOf = ({ name, email }: AssertionClaims) => (email ? `${name} <${email}>` : name);
