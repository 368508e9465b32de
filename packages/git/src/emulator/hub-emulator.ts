// GitHub's REST API and Gitea's, as far as `HubProvider` speaks it, with their statuses, headers and error bodies.
import { type Answer, ApiEmulator, type Call, linkPaged, made, ok, type Route } from './api-emulator.ts';
import { type EmulatedHost, type EmulatedPull, headCommit, mergeCommit } from './emulated-host.ts';

const message = (text: string) => ({ message: text });
const invalid = (text: string): Answer => ({
  status: 422,
  body: { message: 'Validation Failed', errors: [{ message: text }] },
});
const notFound: Answer = { status: 404, body: message('Not Found') };
const stale: Answer = { status: 409, body: message('Head branch was modified. Review and try the merge again.') };
const notMergeable: Answer = { status: 405, body: message('Pull Request is not mergeable') };

export function emulateGitHub(host: EmulatedHost, token: string): ApiEmulator {
  const tokenHeaders = () => ({
    'x-oauth-scopes': 'repo, read:org',
    'github-authentication-token-expiration': `${host.tokenExpiresAt.slice(0, 19).replace('T', ' ')} UTC`,
  });
  const merge = (call: Call, number: string | undefined): Answer => {
    const merged = mergeAnswer(host, number, call.body['sha']);
    return merged ?? ok({ sha: mergeCommit, merged: true });
  };
  const routes: Route[] = [
    ['GET /user', () => ({ status: 200, headers: tokenHeaders(), body: { login: host.user } })],
    ['PUT /repos/**/pulls/*/merge', (call, [, number]) => merge(call, number)],
    ...hubRoutes(host, { size: 'per_page', commitId: 'sha', organisation: 'login' }),
  ];
  return new ApiEmulator({ prefix: '/api/v3', authorization: `Bearer ${token}`, routes, error: message });
}

export function emulateGitea(host: EmulatedHost, token: string): ApiEmulator {
  const merge = (call: Call, number: string | undefined): Answer =>
    mergeAnswer(host, number, call.body['head_commit_id']) ?? { status: 200 };
  const routes: Route[] = [
    ['GET /user', () => ok({ login: host.user, username: host.user })],
    ['POST /repos/**/pulls/*/merge', (call, [, number]) => merge(call, number)],
    ...hubRoutes(host, { size: 'limit', commitId: 'id', organisation: 'username' }),
  ];
  return new ApiEmulator({ prefix: '/api/v1', authorization: `token ${token}`, routes, error: message });
}

/** Undefined: it was merged. */
function mergeAnswer(host: EmulatedHost, number: string | undefined, expected: unknown): Answer | undefined {
  const merged = host.merge(number, expected);
  if (merged === 'missing') return notFound;
  if (merged === 'stale') return stale;
  return merged === 'merged' ? notMergeable : undefined;
}

interface HubWords {
  readonly size: 'per_page' | 'limit';
  readonly commitId: 'sha' | 'id';
  readonly organisation: 'login' | 'username';
}

function hubRoutes(host: EmulatedHost, { size, commitId, organisation }: HubWords): Route[] {
  const list = (call: Call, of?: string) => linkPaged(call, host.repositoriesOf(of).map(repositoryBody), size);
  const create = ({ body }: Call, owner = ''): Answer => {
    if (!host.writable.includes(owner)) return notFound;
    const fullName = host.create(`${owner}/${body['name']}`);
    return fullName ? made(repositoryBody(fullName)) : invalid('name already exists on this account');
  };
  const branches = (call: Call, repository: string) => {
    const names = host.branches.get(repository);
    const branch = (name: string) => ({ name, commit: { [commitId]: headCommit }, protected: name === 'main' });
    return names ? linkPaged(call, names.map(branch), size) : notFound;
  };
  const open = ({ body }: Call, repository: string): Answer => {
    const { title, head, base } = body;
    const pull = host.open({ repository, title: String(title), from: String(head), into: String(base) });
    return pull ? made(pullBody(pull)) : invalid('head is invalid');
  };
  const isOrganisation = (name: string) => host.organisations.includes(name);
  return [
    [
      'GET /user/orgs',
      (call) =>
        linkPaged(
          call,
          host.organisations.map((name) => ({ [organisation]: name })),
          size,
        ),
    ],
    ['GET /user/repos', (call) => list(call)],
    ['GET /orgs/*/repos', (call, [name = '']) => (isOrganisation(name) ? list(call, name) : notFound)],
    ['GET /users/*/repos', (call, [name]) => list(call, name)],
    ['POST /orgs/*/repos', (call, [name]) => create(call, name)],
    ['POST /user/repos', (call) => create(call, host.user)],
    ['GET /repos/**/branches', (call, [name = '']) => branches(call, name)],
    [
      'GET /repos/**/collaborators/*/permission',
      (_, [, user]) => (user === host.user ? ok({ permission: 'write' }) : notFound),
    ],
    [
      'GET /repos/**/pulls',
      (call, [name = '']) =>
        host.branches.has(name) ? linkPaged(call, host.openPulls(name).map(pullBody), size) : notFound,
    ],
    ['POST /repos/**/pulls', (call, [name = '']) => open(call, name)],
    [
      'GET /repos/**/pulls/*',
      (_, [, number]) => {
        const pull = host.pull(number);
        return pull ? ok(pullBody(pull)) : notFound;
      },
    ],
    [
      'POST /repos/**/statuses/*',
      (call, [, commit]) => {
        host.statuses.push({ ...call.body, commit });
        return made({});
      },
    ],
    ['POST /repos/**/hooks', (call) => made({ id: host.addHook(call.body) })],
  ];
}

const repositoryBody = (fullName: string) => ({
  full_name: fullName,
  clone_url: `https://hub.example/${fullName}.git`,
  html_url: `https://hub.example/${fullName}`,
  default_branch: 'main',
  private: true,
});

const pullBody = ({ merged, number, title, from, into, labels = [] }: EmulatedPull) => ({
  number,
  title,
  head: { ref: from, sha: headCommit },
  base: { ref: into },
  user: { login: 'ana' },
  labels: labels.map((name) => ({ name })),
  merged,
  state: merged ? 'closed' : 'open',
  html_url: `https://hub.example/pull/${number}`,
  mergeable: merged ? null : true,
  merge_commit_sha: mergeCommit,
});
