// The typed client of the platform API, from the same table the server is built on. Web, CLI and runtime use it.
import { type ApiErrorBody, type ErrorCode, errorStatus } from './errors.ts';
import { readEvents } from './event-stream.ts';
import type { Route, RouteInput, RouteResponse } from './route.ts';
import { type RouteName, routes } from './routes.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly body: ApiErrorBody;

  constructor(status: number, body: ApiErrorBody) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }

  get code(): string {
    return this.body.code;
  }
}

interface ClientOptions {
  /** '' in the browser: same origin. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  /** Asked for each request, e.g. for a token that is renewed. */
  readonly headers?: () => Record<string, string> | Promise<Record<string, string>>;
}

type CallOptions = { readonly signal?: AbortSignal | undefined };
type Routes = typeof routes;
/** Routes that answer with a stream of events; the others answer once. */
export type StreamRouteName = {
  [N in RouteName]: Routes[N] extends { readonly produces: readonly ['text/event-stream'] } ? N : never;
}[RouteName];

export interface ApiClient {
  /** Rejects with ApiError for an answer outside 2xx, and with what `fetch` throws when there was none. */
  call<N extends Exclude<RouteName, StreamRouteName>>(
    name: N,
    input: RouteInput<Routes[N]>,
    options?: CallOptions,
  ): Promise<RouteResponse<Routes[N]>>;
  /**
   * The data of each event, until the server ends the stream; throws like `call`, also for an error that the server
   * tells within the stream. Leaving the loop ends the request.
   */
  stream<N extends StreamRouteName>(
    name: N,
    input: RouteInput<Routes[N]>,
    options?: CallOptions,
  ): AsyncGenerator<RouteResponse<Routes[N]>, void, undefined>;
}

export function createApiClient(options: ClientOptions): ApiClient {
  return {
    async call(name, input, { signal } = {}) {
      const declared: Route = routes[name];
      const answer = await ask(options, { declared, input, accept: 'application/json', signal });
      // The server is held to the same table, so the body is of the declared type.
      if (answer.status === 204) return null as never;
      return (declared.produces ? await answer.text() : await answer.json()) as never;
    },
    async *stream(name, input, { signal } = {}) {
      const answer = await ask(options, { declared: routes[name], input, accept: 'text/event-stream', signal });
      if (!answer.body) return;
      for await (const { event, data } of readEvents(answer.body)) {
        const parsed: unknown = JSON.parse(data);
        if (event === 'error') {
          const body = parsed as ApiErrorBody; // the server is held to the same table
          throw new ApiError(errorStatus[body.code as ErrorCode] ?? 500, body);
        }
        yield parsed as never; // as above
      }
    },
  };
}

interface Asked {
  readonly declared: Route;
  readonly input: unknown;
  readonly accept: string;
  readonly signal: AbortSignal | undefined;
}

async function ask(options: ClientOptions, { declared, input, accept, signal }: Asked): Promise<Response> {
  const { baseUrl, fetch: send = fetch, headers } = options;
  const given = input as { params?: object; query?: object; body?: unknown };
  const init: RequestInit = {
    method: declared.method,
    headers: {
      accept,
      ...(declared.body ? { 'content-type': 'application/json' } : {}),
      ...(await headers?.()),
    },
  };
  if (declared.body) init.body = JSON.stringify(given.body ?? {});
  if (signal) init.signal = signal;
  const answer = await send(`${baseUrl}${fillPath(declared.path, given.params)}${queryString(given.query)}`, init);
  if (!answer.ok) throw new ApiError(answer.status, await errorBody(answer));
  return answer;
}

/** Puts parameters into `{name}` places, encoded. */
export function fillPath(path: string, params: object | undefined): string {
  const values = params as Record<string, string> | undefined;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values?.[name] ?? ''));
}

export function queryString(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
}

async function errorBody(answer: Response): Promise<ApiErrorBody> {
  const fallback = { code: 'internal', message: `the server answered ${answer.status}`, requestId: '' };
  try {
    return { ...fallback, ...((await answer.json()) as Partial<ApiErrorBody>) };
  } catch {
    return fallback; // a proxy in between answered, not the platform
  }
}
