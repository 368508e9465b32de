import type { Readable } from 'node:stream';
import type { Route, RouteBody, RouteName, RouteParams, RouteQuery, RouteResponse, routes } from '@fairlead/contracts';
import type { Caller, RuntimeRecord } from '../store/index.ts';

type CallerOf<R extends Route> = R['auth'] extends 'user'
  ? Caller
  : R['auth'] extends 'runtime'
    ? RuntimeRecord
    : undefined;

export interface HandlerInput<R extends Route> {
  readonly params: RouteParams<R>;
  readonly query: RouteQuery<R>;
  readonly body: RouteBody<R>;
  readonly caller: CallerOf<R>;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Aborts when the client has left. */
  readonly gone: AbortSignal;
  /** Rejects when the caller may no longer do this; for answers that last. */
  readonly recheck: () => Promise<void>;
  readonly sessionToken: string | undefined;
  /** What the client calls itself. */
  readonly client: string;
  setCookie(value: string): void;
}

/** The answer of a route that produces text. */
export class TextAnswer {
  readonly contentType: string;
  readonly text: string;

  constructor(contentType: string, text: string) {
    this.contentType = contentType;
    this.text = text;
  }
}

/** An answer that is JSON already, of a value that the contract describes: passed on without being read. */
export class JsonText<T> {
  readonly text: string;
  /** Never set: it ties the text to its type. */
  declare readonly of: T;

  constructor(text: string) {
    this.text = text;
  }
}

/** The answer of a route that streams; sent as it comes, and destroyed when the client leaves. */
export class StreamAnswer {
  readonly body: Readable;

  constructor(body: Readable) {
    this.body = body;
  }
}

type Answer<R extends Route> = R['produces'] extends readonly ['text/event-stream']
  ? StreamAnswer
  : R['produces'] extends readonly string[]
    ? TextAnswer
    : RouteResponse<R> | JsonText<RouteResponse<R>>;
type Handler<R extends Route> = (input: HandlerInput<R>) => Promise<Answer<R>>;

/** One for each route of the contract: a missing one does not compile, and does not start. */
export type Handlers = { readonly [N in RouteName]: Handler<(typeof routes)[N]> };
export type HandlersOf<N extends RouteName> = Pick<Handlers, N>;
