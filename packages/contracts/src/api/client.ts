// The typed client of the platform API, from the same table the server is built on. Web, CLI and runtime use it.
import type { ApiErrorBody } from './errors.ts';
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

export interface ApiClient {
  /** Rejects with ApiError for an answer outside 2xx, and with what `fetch` throws when there was none. */
  call<N extends RouteName>(
    name: N,
    input: RouteInput<(typeof routes)[N]>,
    options?: CallOptions,
  ): Promise<RouteResponse<(typeof routes)[N]>>;
}

export function createApiClient({ baseUrl, fetch: send = fetch, headers }: ClientOptions): ApiClient {
  return {
    async call(name, input, options = {}) {
      const declared: Route = routes[name];
      const given = input as { params?: object; query?: object; body?: unknown };
      const init: RequestInit = {
        method: declared.method,
        headers: {
          accept: 'application/json',
          ...(declared.body ? { 'content-type': 'application/json' } : {}),
          ...(await headers?.()),
        },
      };
      if (declared.body) init.body = JSON.stringify(given.body ?? {});
      if (options.signal) init.signal = options.signal;
      const answer = await send(`${baseUrl}${fillPath(declared.path, given.params)}${queryString(given.query)}`, init);
      if (!answer.ok) throw new ApiError(answer.status, await errorBody(answer));
      // The server is held to the same table, so the body is of the declared type.
      if (answer.status === 204) return null as never;
      return (declared.produces ? await answer.text() : await answer.json()) as never;
    },
  };
}

/** Puts parameters into `{name}` places, encoded. */
export function fillPath(path: string, params: object | undefined): string {
  const values = params as Record<string, string> | undefined;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values?.[name] ?? ''));
}

function queryString(query: object | undefined): string {
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
