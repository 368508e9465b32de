// GitLab (gitlab.com and self-managed) by its REST API v4. A group is an organisation, also one within another; a merge
// request is a pull request. How a merge is made (commit, fast-forward) is a setting of the project: a caller chooses only
// whether commits are squashed.
import {
  ProviderForbiddenError,
  ProviderNotFoundError,
  ProviderRefusedError,
  ProviderUnsupportedError,
} from './errors.ts';
import type {
  Branch,
  CallOptions,
  CommitStatus,
  GitProvider,
  MergePullRequest,
  NewPullRequest,
  NewRepository,
  NewWebhook,
  Organisation,
  Page,
  PageRequest,
  Permission,
  ProviderOptions,
  ProviderRepository,
  PullRequest,
  RepositoryQuery,
  TokenProbe,
  WebhookDelivery,
} from './git-provider.ts';
import { type JsonRecord, namesIn, numberOf, personOf, recordOf, recordsOf, textOf } from './json-fields.ts';
import { linkPages } from './paging.ts';
import { ProviderApi } from './provider-api.ts';
import { escapePath, nestedRepositoryPath } from './repository-name.ts';
import { withoutSlash } from './web-address.ts';
import { verifyPlainToken } from './webhook-signature.ts';

const states = { pending: 'pending', success: 'success', failure: 'failed', error: 'failed' } as const;
const developer = 30;
const maintainer = 40;

export class GitLabProvider implements GitProvider {
  readonly kind = 'gitlab';
  readonly #webUrl: string;
  readonly #api: ProviderApi;

  constructor({ token, webUrl = 'https://gitlab.com', apiUrl, ...options }: ProviderOptions) {
    this.#webUrl = withoutSlash(webUrl);
    this.#api = new ProviderApi({
      name: 'GitLab',
      baseUrl: withoutSlash(apiUrl ?? `${this.#webUrl}/api/v4`),
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), 'user-agent': 'fairlead' },
      paging: linkPages('per_page'),
      ...options,
    });
  }

  async probeToken(options?: CallOptions): Promise<TokenProbe> {
    const token = await this.#ownToken(options);
    const user = textOf(await this.#api.record({ path: '/user' }, options), 'username');
    const { scopes, expires_at: expiry } = token;
    return {
      user,
      ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
      // A date: it ends when that day begins, UTC.
      ...(typeof expiry === 'string' ? { expiresAt: new Date(`${expiry}T00:00:00Z`).toISOString() } : {}),
    };
  }

  /** Tokens that are no access tokens (OAuth) are not told about. */
  async #ownToken(options: CallOptions | undefined): Promise<JsonRecord> {
    try {
      return await this.#api.record({ path: '/personal_access_tokens/self' }, options);
    } catch (error) {
      if (error instanceof ProviderNotFoundError || error instanceof ProviderForbiddenError) return {};
      throw error;
    }
  }

  /** The token's own user first, then the groups where it may make projects (at most 1,000). */
  async listOrganisations(options?: CallOptions): Promise<Organisation[]> {
    const user = await this.#api.record({ path: '/user' }, options);
    const query = { min_access_level: String(developer) };
    const groups = await this.#api.all(
      { path: '/groups', query, item: (group) => placeOf(group, 'full_path') },
      options,
    );
    return [placeOf(user, 'username'), ...groups];
  }

  async listRepositories(
    { organisation, search }: RepositoryQuery,
    page: PageRequest = {},
    options?: CallOptions,
  ): Promise<Page<ProviderRepository>> {
    const list = (path: string, query: Record<string, string | undefined>) =>
      this.#api.page({ path, query: { ...query, search }, page, item: repositoryOf }, options);
    if (organisation === undefined) return list('/projects', { membership: 'true', search_namespaces: 'true' });
    const name = encodeURIComponent(organisation);
    try {
      return await list(`/groups/${name}/projects`, { include_subgroups: 'false' });
    } catch (error) {
      if (!(error instanceof ProviderNotFoundError)) throw error;
      return list(`/users/${name}/projects`, {}); // a person is no group
    }
  }

  async createRepository(wanted: NewRepository, options?: CallOptions): Promise<ProviderRepository> {
    const { organisation, name, description, private: isPrivate = true } = wanted;
    nestedRepositoryPath(`${organisation}/${name}`, { least: 2 });
    const place = await this.#api.record({ path: `/namespaces/${encodeURIComponent(organisation)}` }, options);
    const visibility = isPrivate ? 'private' : 'public';
    const body = { name, path: name, namespace_id: numberOf(place, 'id'), visibility, description };
    return repositoryOf(await this.#api.record({ method: 'POST', path: '/projects', body }, options));
  }

  listBranches(repository: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<Branch>> {
    return this.#api.page({ path: `${projectPath(repository)}/repository/branches`, page, item: branchOf }, options);
  }

  async permissionOf(repository: string, user: string, options?: CallOptions): Promise<Permission> {
    const found = await this.#api.call({ path: '/users', query: { username: user } }, options);
    const [known] = recordsOf(found.body, '/users');
    if (!known) throw new ProviderNotFoundError(`GitLab: user ${user}`);
    const path = `${projectPath(repository)}/members/all/${numberOf(known, 'id')}`;
    try {
      return permissionOfLevel(numberOf(await this.#api.record({ path }, options), 'access_level'));
    } catch (error) {
      if (!(error instanceof ProviderNotFoundError)) throw error;
      await this.#api.call({ path: projectPath(repository) }, options); // a project that is not there grants nothing
      return 'none';
    }
  }

  async openPullRequest(wanted: NewPullRequest, options?: CallOptions): Promise<PullRequest> {
    const path = `${projectPath(wanted.repository)}/merge_requests`;
    const { title, body: description, from, into } = wanted;
    const body = { title, description, source_branch: from, target_branch: into };
    return pullRequestOf(await this.#api.record({ method: 'POST', path, body }, options));
  }

  listPullRequests(repository: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<PullRequest>> {
    const path = `${projectPath(repository)}/merge_requests`;
    return this.#api.page({ path, query: { state: 'opened' }, page, item: pullRequestOf }, options);
  }

  async getPullRequest(repository: string, number: number, options?: CallOptions): Promise<PullRequest> {
    return pullRequestOf(await this.#api.record({ path: mergeRequestPath(repository, number) }, options));
  }

  async mergePullRequest(wanted: MergePullRequest, options?: CallOptions): Promise<{ commit: string }> {
    const { repository, number, method = 'merge', expectedHead } = wanted;
    if (method === 'rebase') throw new ProviderUnsupportedError('GitLab', 'merge by rebase that a caller chooses');
    const path = `${mergeRequestPath(repository, number)}/merge`;
    const body = { squash: method === 'squash', ...(expectedHead ? { sha: expectedHead } : {}) };
    const merged = pullRequestOf(await this.#api.record({ method: 'PUT', path, body }, options));
    return { commit: merged.mergeCommit ?? merged.headCommit };
  }

  async setCommitStatus(status: CommitStatus, options?: CallOptions): Promise<void> {
    const path = `${projectPath(status.repository)}/statuses/${encodeURIComponent(status.commit)}`;
    const { context, description, targetUrl } = status;
    const body = { state: states[status.state], name: context, description, target_url: targetUrl };
    try {
      await this.#api.call({ method: 'POST', path, body }, options);
    } catch (error) {
      // A status that is set to what it is already is refused in these words.
      const isSame = error instanceof ProviderRefusedError && error.message.includes('Cannot transition status');
      if (!isSame) throw error;
    }
  }

  async createWebhook(wanted: NewWebhook, options?: CallOptions): Promise<{ id: string }> {
    const path = `${projectPath(wanted.repository)}/hooks`;
    const isPush = wanted.events.includes('push');
    const body = {
      url: wanted.url,
      token: wanted.secret,
      push_events: isPush,
      tag_push_events: isPush,
      merge_requests_events: wanted.events.includes('pull_request'),
      enable_ssl_verification: true,
    };
    return { id: String(numberOf(await this.#api.record({ method: 'POST', path, body }, options), 'id')) };
  }

  verifyWebhook(delivery: WebhookDelivery, secret: string): boolean {
    return verifyPlainToken(delivery, 'x-gitlab-token', secret);
  }

  commitUrl(repository: string, commit: string): string {
    return `${this.#page(repository)}/-/commit/${encodeURIComponent(commit)}`;
  }

  fileUrl(repository: string, { revision, path }: { revision: string; path: string }): string {
    return `${this.#page(repository)}/-/blob/${escapePath(revision)}/${escapePath(path)}`;
  }

  /** There is no address of a face that is made from the name alone. */
  avatarUrl(): undefined {
    return undefined;
  }

  #page(repository: string): string {
    return `${this.#webUrl}/${nestedRepositoryPath(repository, { least: 2 })}`;
  }
}

const projectPath = (repository: string) =>
  `/projects/${encodeURIComponent(nestedRepositoryPath(repository, { least: 2 }))}`;
const mergeRequestPath = (repository: string, number: number) =>
  `${projectPath(repository)}/merge_requests/${Math.trunc(number)}`;

function placeOf(record: JsonRecord, nameField: string): Organisation {
  const avatar = record['avatar_url'];
  return { name: textOf(record, nameField), ...(typeof avatar === 'string' ? { avatarUrl: avatar } : {}) };
}

/** An empty project has no default branch yet. */
function repositoryOf(record: JsonRecord): ProviderRepository {
  const branch = record['default_branch'];
  return {
    fullName: textOf(record, 'path_with_namespace'),
    cloneUrl: textOf(record, 'http_url_to_repo'),
    webUrl: textOf(record, 'web_url'),
    defaultBranch: typeof branch === 'string' && branch !== '' ? branch : 'main',
    private: record['visibility'] !== 'public',
  };
}

function branchOf(record: JsonRecord): Branch {
  const commit = textOf(recordOf(record['commit'], 'a commit'), 'id');
  return { name: textOf(record, 'name'), commit, protected: record['protected'] === true };
}

function permissionOfLevel(level: number): Permission {
  if (level >= maintainer) return 'admin';
  if (level >= developer) return 'write';
  return level >= 10 ? 'read' : 'none';
}

const stillLooking = new Set(['unchecked', 'checking', 'preparing', 'approvals_syncing']);

function pullRequestOf(record: JsonRecord): PullRequest {
  const state = textOf(record, 'state');
  const { detailed_merge_status: mergeStatus, merge_commit_sha: merge, squash_commit_sha: squash, sha } = record;
  const head = typeof sha === 'string' ? sha : '';
  // A fast-forward makes no commit of its own.
  const mergeCommit = [merge, squash, head].find((commit) => typeof commit === 'string');
  const isKnown = typeof mergeStatus === 'string' && !stillLooking.has(mergeStatus);
  return {
    number: numberOf(record, 'iid'),
    state: state === 'merged' ? 'merged' : state === 'opened' ? 'open' : 'closed',
    title: textOf(record, 'title'),
    webUrl: textOf(record, 'web_url'),
    from: textOf(record, 'source_branch'),
    into: textOf(record, 'target_branch'),
    headCommit: head,
    labels: namesIn(record['labels']),
    author: personOf(record['author'], 'username'),
    ...(state === 'opened' && isKnown ? { mergeable: mergeStatus === 'mergeable' } : {}),
    ...(state === 'merged' && typeof mergeCommit === 'string' ? { mergeCommit } : {}),
  };
}
