// GitLab's REST API v4, as far as `GitLabProvider` speaks it.
import { type Answer, ApiEmulator, type Call, linkPaged, made, ok, type Route } from './api-emulator.ts';
import { type EmulatedHost, type EmulatedPull, headCommit, mergeCommit } from './emulated-host.ts';

const message = (text: unknown) => ({ message: text });
const notFound: Answer = { status: 404, body: message('404 Not Found') };
const userId = 7;

export function emulateGitLab(host: EmulatedHost, token: string): ApiEmulator {
  const namespaces = [host.user, ...host.organisations];
  const list = (call: Call, of?: string) => {
    const search = call.url.searchParams.get('search') ?? '';
    const names = host.repositoriesOf(of).filter((name) => name.includes(search.toLowerCase()));
    return linkPaged(call, names.map(projectBody), 'per_page');
  };
  const create = ({ body }: Call): Answer => {
    const place = namespaces[Number(body['namespace_id']) - 1] ?? '';
    if (!host.writable.includes(place)) return insufficientScope;
    const fullName = host.create(`${place}/${body['path']}`);
    return fullName
      ? made(projectBody(fullName))
      : { status: 400, body: message({ path: ['has already been taken'] }) };
  };
  const routes: Route[] = [
    ['GET /user', () => ok({ id: userId, username: host.user, avatar_url: null })],
    ['GET /personal_access_tokens/self', () => ok({ scopes: ['api'], expires_at: '2027-01-02' })],
    [
      'GET /groups',
      (call) =>
        linkPaged(
          call,
          host.organisations.map((name) => ({ full_path: name })),
          'per_page',
        ),
    ],
    ['GET /projects', (call) => list(call)],
    [
      'GET /groups/*/projects',
      (call, [name = '']) => (host.organisations.includes(name) ? list(call, name) : notFound),
    ],
    ['GET /users/*/projects', (call, [name]) => list(call, name)],
    ['GET /namespaces/*', (_, [name = '']) => namespaceAnswer(namespaces.indexOf(name), name)],
    ['POST /projects', (call) => create(call)],
    ['GET /users', (call) => ok(call.url.searchParams.get('username') === host.user ? [{ id: userId }] : [])],
    ...projectRoutes(host),
    ...mergeRequestRoutes(host),
  ];
  return new ApiEmulator({ prefix: '/api/v4', authorization: `Bearer ${token}`, routes, error: message });
}

const insufficientScope: Answer = {
  status: 403,
  body: {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: 'api',
  },
};

const namespaceAnswer = (at: number, name: string): Answer =>
  at < 0 ? notFound : ok({ id: at + 1, full_path: name, kind: at === 0 ? 'user' : 'group' });

function projectRoutes(host: EmulatedHost): Route[] {
  const branches = (call: Call, names: readonly string[] | undefined) => {
    const branch = (name: string) => ({ name, commit: { id: headCommit }, protected: name === 'main' });
    return names ? linkPaged(call, names.map(branch), 'per_page') : notFound;
  };
  const setStatus = (call: Call, commit: string | undefined): Answer => {
    const status = { ...call.body, commit };
    const isSame = host.statuses.some(({ name, state }) => name === call.body['name'] && state === call.body['state']);
    if (isSame) return { status: 400, body: message('Cannot transition status via :enqueue from :pending') };
    host.statuses.push(status);
    return made({});
  };
  return [
    ['GET /projects/*', (_, [name = '']) => (host.repositories.has(name) ? ok(projectBody(name)) : notFound)],
    ['GET /projects/*/repository/branches', (call, [name = '']) => branches(call, host.branches.get(name))],
    ['GET /projects/*/members/all/*', (_, [, id]) => (id === String(userId) ? ok({ access_level: 30 }) : notFound)],
    ['POST /projects/*/statuses/*', (call, [, commit]) => setStatus(call, commit)],
    ['POST /projects/*/hooks', (call) => made({ id: host.addHook(call.body) })],
  ];
}

function mergeRequestRoutes(host: EmulatedHost): Route[] {
  const open = ({ body }: Call, repository: string): Answer => {
    const { title, source_branch: from, target_branch: into } = body;
    const pull = host.open({ repository, title: String(title), from: String(from), into: String(into) });
    return pull ? made(pullBody(pull)) : { status: 400, body: message({ source_branch: ['does not exist'] }) };
  };
  const merge = ({ body }: Call, number: string | undefined): Answer => {
    const merged = host.merge(number, body['sha']);
    if (merged === 'missing') return notFound;
    if (merged === 'stale') return { status: 409, body: message('SHA does not match HEAD of source branch') };
    return merged === 'merged' ? { status: 405, body: message('405 Method Not Allowed') } : ok(pullBody(merged));
  };
  return [
    [
      'GET /projects/*/merge_requests',
      (call, [name = '']) =>
        host.branches.has(name) ? linkPaged(call, host.openPulls(name).map(pullBody), 'per_page') : notFound,
    ],
    ['POST /projects/*/merge_requests', (call, [name = '']) => open(call, name)],
    [
      'GET /projects/*/merge_requests/*',
      (_, [, number]) => {
        const pull = host.pull(number);
        return pull ? ok(pullBody(pull)) : notFound;
      },
    ],
    ['PUT /projects/*/merge_requests/*/merge', (call, [, number]) => merge(call, number)],
  ];
}

const projectBody = (fullName: string) => ({
  path_with_namespace: fullName,
  http_url_to_repo: `https://gitlab.example/${fullName}.git`,
  web_url: `https://gitlab.example/${fullName}`,
  default_branch: null,
  visibility: 'private',
});

const pullBody = ({ merged, number, title, from, into, labels = [] }: EmulatedPull) => ({
  iid: number,
  title,
  state: merged ? 'merged' : 'opened',
  web_url: `https://gitlab.example/-/merge_requests/${number}`,
  source_branch: from,
  target_branch: into,
  sha: headCommit,
  labels,
  author: { username: 'ana' },
  detailed_merge_status: merged ? 'not_open' : 'mergeable',
  merge_commit_sha: merged ? mergeCommit : null,
  squash_commit_sha: null,
});
