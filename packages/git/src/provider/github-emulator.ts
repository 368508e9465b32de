// A server that answers as GitHub's REST API does, for tests: the calls that `GitHubProvider` makes, over a real socket,
// with GitHub's statuses, headers and error bodies. State is in memory; `failNext` puts answers before the next calls.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readAll } from '@fairlead/base';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface EmulatedPull {
  readonly number: number;
  readonly title: string;
  readonly head: { ref: string; sha: string };
  readonly base: { ref: string };
  merged: boolean;
}

interface Call {
  readonly method: string;
  readonly url: URL;
  readonly body: Record<string, unknown>;
}

type Route = readonly [method: string, path: RegExp, answer: (call: Call, names: readonly string[]) => Answer];

const sha = 'a'.repeat(40);
const notFound: Answer = { status: 404, body: { message: 'Not Found' } };
const invalid = (message: string): Answer => ({
  status: 422,
  body: { message: 'Validation Failed', errors: [{ message }] },
});

export class GitHubEmulator {
  readonly http: Server;
  readonly calls: string[] = [];
  readonly repositories = new Set<string>();
  readonly branches = new Map<string, string[]>();
  readonly pulls: EmulatedPull[] = [];
  readonly statuses: Record<string, unknown>[] = [];
  readonly hooks: Record<string, unknown>[] = [];
  readonly #token: string;
  readonly #failures: Answer[] = [];

  constructor({ token }: { token: string }) {
    this.#token = token;
    this.http = createServer((incoming, response) => void this.#serve(incoming, response));
  }

  failNext(...answers: readonly Answer[]): void {
    this.#failures.push(...answers);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await readAll(incoming, { maxBytes: 1024 * 1024 })).toString('utf8');
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
    const call = { method: incoming.method ?? 'GET', url, body: text === '' ? {} : JSON.parse(text) };
    this.calls.push(`${call.method} ${url.pathname}${url.search}`);
    const isKnown = incoming.headers.authorization === `Bearer ${this.#token}`;
    const answer = this.#failures.shift() ?? (isKnown ? this.#answer(call) : badCredentials);
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  }

  #answer(call: Call): Answer {
    for (const [method, path, answer] of this.#routes) {
      const match = method === call.method ? path.exec(call.url.pathname) : null;
      if (match) return answer(call, match.slice(1));
    }
    return notFound;
  }

  readonly #routes: readonly Route[] = [
    ['GET', /^\/api\/v3\/user$/, () => ({ status: 200, headers: tokenHeaders, body: { login: 'ana' } })],
    [
      'GET',
      /^\/api\/v3\/user\/orgs$/,
      (call) =>
        paged(
          call,
          ['demo', 'ops', 'web'].map((login) => ({ login })),
        ),
    ],
    ['GET', /^\/api\/v3\/user\/repos$/, (call) => this.#list(call, () => true)],
    ['GET', /^\/api\/v3\/orgs\/demo\/repos$/, (call) => this.#list(call, (name) => name.startsWith('demo/'))],
    ['GET', /^\/api\/v3\/users\/ana\/repos$/, (call) => this.#list(call, (name) => name.startsWith('ana/'))],
    ['POST', /^\/api\/v3\/orgs\/(demo)\/repos$/, (call, [owner]) => this.#create(call, owner)],
    ['POST', /^\/api\/v3\/user\/repos$/, (call) => this.#create(call, 'ana')],
    ['GET', /^\/api\/v3\/repos\/(.+)\/branches$/, (call, [name = '']) => this.#branches(call, name)],
    ['GET', /^\/api\/v3\/repos\/.+\/collaborators\/ana\/permission$/, () => ok({ permission: 'write' })],
    ['POST', /^\/api\/v3\/repos\/(.+)\/pulls$/, (call, [name = '']) => this.#open(call, name)],
    ['GET', /^\/api\/v3\/repos\/.+\/pulls\/(\d+)$/, (_, [number]) => this.#pull(number)],
    ['PUT', /^\/api\/v3\/repos\/.+\/pulls\/(\d+)\/merge$/, (call, [number]) => this.#merge(call, number)],
    [
      'POST',
      /^\/api\/v3\/repos\/.+\/statuses\/(\w+)$/,
      (call, [commit]) => {
        this.statuses.push({ ...call.body, commit });
        return { status: 201, body: {} };
      },
    ],
    [
      'POST',
      /^\/api\/v3\/repos\/.+\/hooks$/,
      (call) => {
        this.hooks.push(call.body);
        return { status: 201, body: { id: this.hooks.length } };
      },
    ],
  ];

  #list(call: Call, isWanted: (name: string) => boolean): Answer {
    return paged(call, [...this.repositories].filter(isWanted).sort().map(repositoryBody));
  }

  #create({ body }: Call, owner = ''): Answer {
    const fullName = `${owner}/${body['name']}`;
    if (this.repositories.has(fullName)) return invalid('name already exists on this account');
    this.repositories.add(fullName);
    return { status: 201, body: repositoryBody(fullName) };
  }

  #branches(call: Call, name: string): Answer {
    const names = this.branches.get(name);
    if (!names) return notFound;
    return paged(
      call,
      names.map((branch) => ({ name: branch, commit: { sha }, protected: branch === 'main' })),
    );
  }

  #open({ body }: Call, name: string): Answer {
    const { title, head, base } = body;
    if (!this.branches.get(name)?.includes(String(head))) return invalid('head is invalid');
    const number = this.pulls.length + 1;
    const pull = {
      number,
      title: String(title),
      head: { ref: String(head), sha },
      base: { ref: String(base) },
      merged: false,
    };
    this.pulls.push(pull);
    return { status: 201, body: pullBody(pull) };
  }

  #pull(number = '0'): Answer {
    const pull = this.pulls[Number(number) - 1];
    return pull ? ok(pullBody(pull)) : notFound;
  }

  #merge({ body }: Call, number = '0'): Answer {
    const pull = this.pulls[Number(number) - 1];
    if (!pull) return notFound;
    if (pull.merged) return { status: 405, body: { message: 'Pull Request is not mergeable' } };
    if (body['sha'] !== undefined && body['sha'] !== sha)
      return { status: 409, body: { message: 'Head branch was modified. Review and try the merge again.' } };
    pull.merged = true;
    return ok({ sha: 'b'.repeat(40), merged: true });
  }
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const badCredentials: Answer = { status: 401, body: { message: 'Bad credentials' } };
const tokenHeaders = {
  'x-oauth-scopes': 'repo, read:org',
  'github-authentication-token-expiration': '2027-01-02 03:04:05 UTC',
};

const repositoryBody = (fullName: string) => ({
  full_name: fullName,
  clone_url: `https://github.example/${fullName}.git`,
  html_url: `https://github.example/${fullName}`,
  default_branch: 'main',
  private: true,
});

const pullBody = ({ merged, ...pull }: EmulatedPull) => ({
  ...pull,
  merged,
  state: merged ? 'closed' : 'open',
  html_url: `https://github.example/pull/${pull.number}`,
  mergeable: merged ? null : true,
  merge_commit_sha: 'b'.repeat(40),
});

/** As GitHub pages: `per_page`, `page`, and a `Link` header with absolute addresses. */
function paged({ url }: Call, all: readonly unknown[]): Answer {
  const size = Number(url.searchParams.get('per_page') ?? 30);
  const page = Number(url.searchParams.get('page') ?? 1);
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const headers = page * size < all.length ? { link: `<${next.href}>; rel="next"` } : {};
  return { status: 200, headers, body: all.slice((page - 1) * size, page * size) };
}
