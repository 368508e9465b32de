// The part of the server's API that is about reviews:
//   POST /pulls {"title","body"?,"from","into"}       GET /pulls (those that are open)       GET /pulls/<number>
//   POST /pulls/<number>/merge {"method"?,"expectedHead"?}
//   POST /statuses/<commit> {"state","context","description"?,"targetUrl"?}       GET /statuses/<commit>
// each below /api/v1/repositories/<org>/<name>.
import { assertBranchName, InvalidChangeError } from '../commit/index.ts';
import { type CommitStatuses, statusStates } from './commit-statuses.ts';
import type { PullRequests } from './pull-requests.ts';
import type { RefUpdate } from './push-payload.ts';
import { Refusal } from './refusal.ts';

export interface ReviewRequest {
  readonly method: string;
  /** `pulls/3/merge` */
  readonly path: string;
  readonly body: () => Promise<Readonly<Record<string, unknown>>>;
  readonly gitDir: string;
  readonly user: string;
  /** The address of the pull requests. */
  readonly url: string;
}

export interface ReviewDeps {
  readonly pulls: PullRequests;
  readonly statuses: CommitStatuses;
  /** Tells the webhooks what a merge moved. */
  readonly moved: (update: RefUpdate) => Promise<void>;
}

type Answer = { readonly status: number; readonly body: unknown } | undefined;

/** Undefined: not part of it. */
export async function serveReview(request: ReviewRequest, deps: ReviewDeps): Promise<Answer> {
  const { method, path, gitDir, url } = request;
  const [room, name = '', act, ...rest] = path.split('/');
  const call = `${method} ${room}${name ? '/*' : ''}${act ? `/${act}` : ''}`;
  if (rest.length > 0) return undefined;
  if (call === 'POST pulls') return { status: 201, body: withUrl(await openPull(request, deps), url) };
  if (call === 'GET pulls') {
    const open = await deps.pulls.listOpen(gitDir);
    return { status: 200, body: { items: open.map((pull) => withUrl(pull, url)) } };
  }
  if (call === 'GET pulls/*') {
    return { status: 200, body: withUrl(await deps.pulls.get(gitDir, pullNumber(name)), url) };
  }
  if (call === 'POST pulls/*/merge') return { status: 200, body: await mergePull(request, deps, pullNumber(name)) };
  if (call === 'GET statuses/*') return { status: 200, body: { items: await deps.statuses.list(gitDir, name) } };
  if (call === 'POST statuses/*') return { status: 201, body: await setStatus(request, deps, name) };
  return undefined;
}

const withUrl = <T extends { readonly number: number }>(pull: T, url: string) => ({
  ...pull,
  webUrl: `${url}/${pull.number}`,
});

function pullNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Refusal(404, 'not_found', `there is no pull request ${JSON.stringify(text.slice(0, 40))}`);
}

async function openPull({ body, gitDir, user }: ReviewRequest, { pulls }: ReviewDeps) {
  const fields = await body();
  const title = textIn(fields, 'title', { maxLength: 300 });
  const text = optionalTextIn(fields, 'body', { maxLength: 20_000 }) ?? '';
  const [from, into] = [branchIn(fields, 'from'), branchIn(fields, 'into')];
  return pulls.open(gitDir, { title, body: text, from, into, author: user });
}

async function mergePull({ body, gitDir, user }: ReviewRequest, { pulls, moved }: ReviewDeps, number: number) {
  const fields = await body();
  const method = optionalTextIn(fields, 'method', { maxLength: 10 }) ?? 'merge';
  if (method !== 'merge' && method !== 'squash') throw invalid('method', 'must be merge or squash');
  const expectedHead = optionalTextIn(fields, 'expectedHead', { maxLength: 40 });
  const update = await pulls.merge(gitDir, { number, method, expectedHead, user });
  await moved(update);
  return { commit: update.after };
}

async function setStatus({ body, gitDir, user }: ReviewRequest, { statuses }: ReviewDeps, commit: string) {
  const fields = await body();
  const state = statusStates.find((known) => known === fields['state']);
  if (!state) throw invalid('state', `must be one of ${statusStates.join(', ')}`);
  const context = textIn(fields, 'context', { maxLength: 200 });
  const description = optionalTextIn(fields, 'description', { maxLength: 1000 });
  const targetUrl = optionalTextIn(fields, 'targetUrl', { maxLength: 2000 });
  const told = { ...(description ? { description } : {}), ...(targetUrl ? { targetUrl } : {}) };
  const entry = { context, state, ...told, setBy: user };
  await statuses.set(gitDir, commit, entry);
  return entry;
}

type Fields = Readonly<Record<string, unknown>>;
const invalid = (field: string, reason: string) => new Refusal(422, 'invalid', `"${field}" ${reason}`);

function textIn(fields: Fields, field: string, bounds: { maxLength: number }): string {
  const text = optionalTextIn(fields, field, bounds)?.trim();
  if (!text) throw invalid(field, 'is needed');
  return text;
}

function optionalTextIn(fields: Fields, field: string, { maxLength }: { maxLength: number }): string | undefined {
  const value = fields[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalid(field, 'must be a text');
  if (value.length > maxLength) throw invalid(field, `must have at most ${maxLength} characters`);
  if (value.includes('\0')) throw invalid(field, 'has a NUL character');
  return value;
}

function branchIn(fields: Fields, field: string): string {
  const name = textIn(fields, field, { maxLength: 244 });
  try {
    assertBranchName(name);
    return name;
  } catch (error) {
    if (error instanceof InvalidChangeError) throw invalid(field, error.message);
    throw error;
  }
}
