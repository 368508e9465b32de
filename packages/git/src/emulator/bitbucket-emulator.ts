// Bitbucket Cloud's REST API 2.0, as far as `BitbucketProvider` speaks it.
import { type Answer, ApiEmulator, type Call, made, ok, type Route } from './api-emulator.ts';
import { type EmulatedHost, type EmulatedPull, headCommit, mergeCommit } from './emulated-host.ts';

const failure = (text: string) => ({ type: 'error', error: { message: text } });
const notFound: Answer = { status: 404, body: failure('Repository not found') };
const lacksScope: Answer = {
  status: 403,
  body: {
    type: 'error',
    error: {
      message: 'Your credentials lack one or more required privilege scopes.',
      detail: { granted: ['repository:write'], required: ['repository:admin'] },
    },
  },
};

export function emulateBitbucket(host: EmulatedHost, authorization: string): ApiEmulator {
  const workspaces = [host.user, ...host.organisations];
  const list = (call: Call, workspace: string): Answer => {
    if (!workspaces.includes(workspace)) return notFound;
    const slug = /slug="([^"]*)"/.exec(call.url.searchParams.get('q') ?? '')?.[1];
    if (call.url.searchParams.get('role') === 'admin') return paged(call, []);
    const names = host.repositoriesOf(workspace).filter((name) => slug === undefined || name.endsWith(`/${slug}`));
    return paged(call, names.map(repositoryBody));
  };
  const create = (workspace: string, slug: string): Answer => {
    if (!host.writable.includes(workspace)) return lacksScope;
    const fullName = host.create(`${workspace}/${slug}`);
    if (fullName) return ok(repositoryBody(fullName));
    return { status: 400, body: failure('Repository with this Slug and Owner already exists.') };
  };
  const scopes = { 'x-oauth-scopes': 'account, repository:write' };
  const routes: Route[] = [
    ['GET /user', () => ({ status: 200, headers: scopes, body: { nickname: host.user, uuid: '{1}' } })],
    [
      'GET /user/workspaces',
      (call) =>
        paged(
          call,
          workspaces.map((slug) => ({ workspace: { slug, links: {} } })),
        ),
    ],
    ['GET /repositories/*', (call, [workspace = '']) => list(call, workspace)],
    ['POST /repositories/*/*', (_, [workspace = '', slug = '']) => create(workspace, slug)],
    [
      'GET /workspaces/*/permissions/repositories/*',
      (call) => paged(call, [{ permission: 'read', user: { nickname: 'cy' } }]),
    ],
    ...repositoryRoutes(host),
    ...pullRoutes(host),
  ];
  return new ApiEmulator({ prefix: '/2.0', authorization, routes, error: failure });
}

function repositoryRoutes(host: EmulatedHost): Route[] {
  return [
    [
      'GET /repositories/*/*/refs/branches',
      (call, names) => {
        const branches = host.branches.get(names.join('/'));
        return branches
          ? paged(
              call,
              branches.map((name) => ({ name, target: { hash: headCommit } })),
            )
          : notFound;
      },
    ],
    [
      'GET /repositories/*/*/commit/*',
      (_, [, , id = '']) => ok({ hash: [headCommit, mergeCommit].find((commit) => commit.startsWith(id)) }),
    ],
    [
      'POST /repositories/*/*/commit/*/statuses/build',
      (call, [, , commit]) => {
        host.statuses.push({ ...call.body, commit });
        return made({});
      },
    ],
    ['POST /repositories/*/*/hooks', (call) => made({ uuid: `{${host.addHook(call.body)}}` })],
  ];
}

function pullRoutes(host: EmulatedHost): Route[] {
  const branchName = (end: unknown) => String((end as { branch?: { name?: unknown } }).branch?.name); // of a test
  const open = ({ body }: Call, repository: string): Answer => {
    const { title, source, destination } = body;
    const wanted = { repository, title: String(title), from: branchName(source), into: branchName(destination) };
    const pull = host.open(wanted);
    return pull ? made(pullBody(pull)) : { status: 400, body: failure('There are no changes to be pulled') };
  };
  const merge = (number: string | undefined): Answer => {
    const merged = host.merge(number);
    if (typeof merged !== 'string') return ok(pullBody(merged));
    return merged === 'missing' ? notFound : { status: 400, body: failure('This pull request is already closed.') };
  };
  return [
    [
      'GET /repositories/*/*/pullrequests',
      (call, names) => {
        const name = names.join('/');
        return host.branches.has(name) ? paged(call, host.openPulls(name).map(pullBody)) : notFound;
      },
    ],
    ['POST /repositories/*/*/pullrequests', (call, names) => open(call, names.join('/'))],
    [
      'GET /repositories/*/*/pullrequests/*',
      (_, [, , number]) => {
        const pull = host.pull(number);
        return pull ? ok(pullBody(pull)) : notFound;
      },
    ],
    ['POST /repositories/*/*/pullrequests/*/merge', (_, [, , number]) => merge(number)],
  ];
}

function paged({ url }: Call, all: readonly unknown[]): Answer {
  const size = Number(url.searchParams.get('pagelen') ?? 10);
  const page = Number(url.searchParams.get('page') ?? 1);
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const values = all.slice((page - 1) * size, page * size);
  return ok({ pagelen: size, page, values, ...(page * size < all.length ? { next: next.href } : {}) });
}

const repositoryBody = (fullName: string) => ({
  full_name: fullName,
  links: {
    html: { href: `https://bitbucket.example/${fullName}` },
    clone: [
      { name: 'https', href: `https://ana@bitbucket.example/${fullName}.git` },
      { name: 'ssh', href: `git@bitbucket.example:${fullName}.git` },
    ],
  },
  mainbranch: null,
  is_private: true,
});

const pullBody = ({ merged, number, title, from, into }: EmulatedPull) => ({
  id: number,
  title,
  state: merged ? 'MERGED' : 'OPEN',
  links: { html: { href: `https://bitbucket.example/pull-requests/${number}` } },
  source: { branch: { name: from }, commit: { hash: headCommit.slice(0, 12) } },
  destination: { branch: { name: into } },
  author: { nickname: 'ana' },
  merge_commit: merged ? { hash: mergeCommit.slice(0, 12) } : null,
});
