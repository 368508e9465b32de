// A JSON API over a real socket, answered by a table of routes: the mechanics that the emulated providers share. State is
// in memory; `failNext` puts answers before the next calls.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorMessage, readAll } from '@fairlead/base';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Call {
  readonly method: string;
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>>;
}

/** `GET /repos/**` + `/branches`: `*` is one segment, `**` one or more; both are given to the answer, decoded. */
export type Route = readonly [call: string, answer: (call: Call, names: readonly string[]) => Answer];

interface ApiEmulatorOptions {
  /** `/api/v4`; only calls below it are this API's. */
  readonly prefix: string;
  readonly authorization: string;
  readonly routes: readonly Route[];
  /** Body of an error. */
  readonly error: (message: string) => unknown;
  /** Written before every body. */
  readonly jsonPrefix?: string;
}

export class ApiEmulator {
  readonly http: Server;
  readonly calls: string[] = [];
  readonly prefix: string;
  readonly #options: ApiEmulatorOptions;
  readonly #routes: readonly { method: string; path: RegExp; answer: Route[1] }[];
  readonly #failures: Answer[] = [];

  constructor(options: ApiEmulatorOptions) {
    this.#options = options;
    this.prefix = options.prefix;
    this.#routes = options.routes.map(([call, answer]) => {
      const [method = '', path = ''] = call.split(' ');
      return { method, path: patternOf(`${options.prefix}${path}`), answer };
    });
    this.http = createServer((incoming, response) => {
      this.#serve(incoming, response).catch(failWith(response, 500));
    });
  }

  failNext(...answers: readonly Answer[]): void {
    this.#failures.push(...answers);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await readAll(incoming, { maxBytes: 1024 * 1024 })).toString('utf8');
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
    const call = { method: incoming.method ?? 'GET', url, body: text === '' ? {} : JSON.parse(text) };
    this.calls.push(`${call.method} ${url.pathname}${url.search}`);
    const { authorization, error, jsonPrefix = '' } = this.#options;
    const isKnown = incoming.headers.authorization === authorization;
    const answer =
      this.#failures.shift() ?? (isKnown ? this.#answer(call) : { status: 401, body: error('Unauthorized') });
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    if (answer.body === undefined) response.end();
    else if (typeof answer.body === 'string' && answer.status >= 400) response.end(answer.body);
    else response.end(`${jsonPrefix}${JSON.stringify(answer.body)}`);
  }

  #answer(call: Call): Answer {
    for (const { method, path, answer } of this.#routes) {
      const match = method === call.method ? path.exec(call.url.pathname) : null;
      if (match) return answer(call, match.slice(1).map(decodeURIComponent));
    }
    return { status: 404, body: this.#options.error('Not Found') };
  }
}

function patternOf(template: string): RegExp {
  const source = template
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*\*?/g, (stars) => (stars === '**' ? '(.+)' : '([^/]+)'));
  return new RegExp(`^${source}$`);
}

/** Who asked is told what went wrong; one that hung up meanwhile hears nothing, and the emulator goes on. */
export const failWith = (response: ServerResponse, status: number) => (error: unknown) => {
  if (response.headersSent) response.destroy();
  else response.writeHead(status).end(errorMessage(error));
};

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const made = (body: unknown): Answer => ({ status: 201, body });

/** As GitHub, GitLab and Gitea page: `page`, and a `Link` header with absolute addresses. */
export function linkPaged({ url }: Call, all: readonly unknown[], sizeParameter: 'per_page' | 'limit'): Answer {
  const size = Number(url.searchParams.get(sizeParameter) ?? 30);
  const page = Number(url.searchParams.get('page') ?? 1);
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const headers = page * size < all.length ? { link: `<${next.href}>; rel="next"` } : {};
  return { status: 200, headers, body: all.slice((page - 1) * size, page * size) };
}
