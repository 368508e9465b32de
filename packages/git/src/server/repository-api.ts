// The server's small JSON API: what there is, and a repository before its first push.
//   GET  /api/v1/organisations
//   GET  /api/v1/repositories?organisation=&search=&cursor=&limit=
//   POST /api/v1/repositories {"organisation","name"}
//   GET  /api/v1/repositories/<org>/<name>/branches?cursor=&limit=
//   GET  /api/v1/user
// and what is about reviews, below each repository (pull-request-api.ts).
// Lists are ordered by name; `nextCursor` is the last name of a page. Read from the folder at each call.
import type { IncomingMessage } from 'node:http';
import { readAll, TooLargeError } from '@fairlead/base';
import { listBranches, readDefaultBranch } from './branches.ts';
import type { CommitStatuses } from './commit-statuses.ts';
import { serveReview } from './pull-request-api.ts';
import type { PullRequests } from './pull-requests.ts';
import type { RefUpdate } from './push-payload.ts';
import { Refusal } from './refusal.ts';
import type { Repositories } from './repositories.ts';
import { isRepositoryName, parseRepositoryName } from './repository-path.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface ApiContext {
  readonly repositories: Repositories;
  readonly pulls: PullRequests;
  readonly statuses: CommitStatuses;
  /** Tells the webhooks of what the API itself moved. */
  readonly moved: (repository: string, update: RefUpdate) => Promise<void>;
  readonly publicUrl: string;
  readonly user: string;
}

const maxBodyBytes = 64 * 1024;
const prefix = '/api/v1/';

export const isApiPath = (path: string): boolean => path.startsWith(prefix);

const refusal = (status: number, code: string, message: string): ApiAnswer => ({ status, body: { code, message } });

export async function serveApi(incoming: IncomingMessage, url: URL, context: ApiContext): Promise<ApiAnswer> {
  try {
    return await answerOf(incoming, url, context);
  } catch (error) {
    if (error instanceof Refusal) return refusal(error.status, error.code, error.message);
    throw error;
  }
}

async function answerOf(incoming: IncomingMessage, url: URL, context: ApiContext): Promise<ApiAnswer> {
  const path = url.pathname.slice(prefix.length);
  const isRead = incoming.method === 'GET';
  const branches = /^repositories\/([^/]+\/[^/]+)\/branches$/.exec(path)?.[1];
  if (path === 'repositories' && incoming.method === 'POST') return createRepository(incoming, context);
  const reviewed = await reviewAnswer(incoming, path, context);
  if (reviewed) return reviewed;
  if (!isRead) return refusal(405, 'method_not_allowed', `${incoming.method} is not possible here`);
  if (path === 'user') return { status: 200, body: { name: context.user } };
  if (path === 'organisations') return { status: 200, body: { items: await organisations(context) } };
  if (path === 'repositories') return repositoriesPage(url, context);
  if (branches !== undefined) return branchesPage(branches, url, context);
  return refusal(404, 'not_found', `${url.pathname} is not part of this API`);
}

async function reviewAnswer(
  incoming: IncomingMessage,
  path: string,
  { repositories, publicUrl, user, pulls, statuses, moved }: ApiContext,
): Promise<ApiAnswer | undefined> {
  const [, name = '', rest = ''] = /^repositories\/([^/]+\/[^/]+)\/((?:pulls|statuses)(?:\/.*)?)$/.exec(path) ?? [];
  if (rest === '') return undefined;
  const repository = parseRepositoryName(name);
  if (repository === undefined || !(await repositories.exists(repository)))
    return refusal(404, 'not_found', 'no such repository');
  const body = async () => {
    const fields = await readBody(incoming);
    if (!fields) throw new Refusal(422, 'invalid', 'the body must be a JSON object');
    return fields;
  };
  const gitDir = repositories.gitDirOf(repository);
  const address = `${publicUrl}${prefix}repositories/${repository}/pulls`;
  const request = { method: incoming.method ?? 'GET', path: rest, body, gitDir, user, url: address };
  return serveReview(request, { pulls, statuses, moved: (update) => moved(repository, update) });
}

async function organisations({ repositories }: ApiContext): Promise<{ name: string }[]> {
  const names = (await repositories.list()).map((fullName) => fullName.split('/')[0] ?? '');
  return [...new Set(names)].map((name) => ({ name }));
}

async function repositoriesPage(url: URL, context: ApiContext): Promise<ApiAnswer> {
  const organisation = url.searchParams.get('organisation');
  const search = (url.searchParams.get('search') ?? '').toLowerCase();
  const isWanted = (name: string) =>
    (organisation === null || name.startsWith(`${organisation}/`)) && name.toLowerCase().includes(search);
  const { items, nextCursor } = pageOf((await context.repositories.list()).filter(isWanted), url, (name) => name);
  const described = await Promise.all(items.map((name) => describe(name, context)));
  return { status: 200, body: { items: described, nextCursor } };
}

async function createRepository(incoming: IncomingMessage, context: ApiContext): Promise<ApiAnswer> {
  const wanted = await readBody(incoming);
  const { organisation, name } = wanted ?? {};
  if (!isRepositoryName(organisation) || !isRepositoryName(name))
    return refusal(422, 'invalid', '"organisation" and "name" must be letters, digits and "._-"');
  const fullName = `${organisation}/${name}`;
  if (await context.repositories.exists(fullName))
    return refusal(409, 'exists', `repository ${fullName} already exists`);
  await context.repositories.create(fullName);
  return { status: 201, body: await describe(fullName, context) };
}

async function branchesPage(name: string, url: URL, { repositories }: ApiContext): Promise<ApiAnswer> {
  const fullName = parseRepositoryName(name);
  if (fullName === undefined || !(await repositories.exists(fullName)))
    return refusal(404, 'not_found', 'no such repository');
  const all = await listBranches(repositories.gitDirOf(fullName));
  return { status: 200, body: pageOf(all, url, (branch) => branch.name) };
}

async function describe(fullName: string, { repositories, publicUrl }: ApiContext) {
  const cloneUrl = `${publicUrl}/${fullName}.git`;
  return { fullName, cloneUrl, defaultBranch: await readDefaultBranch(repositories.gitDirOf(fullName)) };
}

/** `all` is ordered by key; at most 100 at a time. */
function pageOf<T>(all: readonly T[], url: URL, key: (item: T) => string): { items: T[]; nextCursor?: string } {
  const cursor = url.searchParams.get('cursor') ?? '';
  const limit = Math.min(100, Math.max(1, Math.trunc(Number(url.searchParams.get('limit') ?? 50)) || 50));
  const rest = all.filter((item) => key(item) > cursor);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(rest.length > limit && last !== undefined ? { nextCursor: key(last) } : {}) };
}

/** Undefined: not a JSON object, or too large to be one of ours. */
async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  try {
    const body: unknown = JSON.parse((await readAll(incoming, { maxBytes: maxBodyBytes })).toString('utf8'));
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TooLargeError) return undefined;
    throw error;
  }
}
