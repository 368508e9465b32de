// GitHub and GitHub Enterprise Server by their REST API (version 2022-11-28).
import type { Clock } from '@fairlead/base';
import { type ApiAnswer, ApiClient, type ApiRequest } from './api-client.ts';
import { ProviderNotFoundError } from './errors.ts';
import type {
  Branch,
  CallOptions,
  CommitStatus,
  GitProvider,
  MergeRequest,
  NewPullRequest,
  NewRepository,
  NewWebhook,
  Organisation,
  Page,
  PageRequest,
  Permission,
  ProviderRepository,
  PullRequest,
  RepositoryQuery,
  TokenProbe,
  WebhookDelivery,
} from './git-provider.ts';
import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from './json-fields.ts';
import { escapePath, pageSize, repositoryPath } from './repository-name.ts';
import { verifyHubSignature } from './webhook-signature.ts';

interface GitHubProviderOptions {
  readonly token: string;
  /** Where people look; default https://github.com. */
  readonly webUrl?: string;
  /** Default: what belongs to `webUrl` (api.github.com, api.<name>.ghe.com, <enterprise>/api/v3). */
  readonly apiUrl?: string;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
  readonly maxWaitMs?: number;
}

const maxOrganisationPages = 10;

export class GitHubProvider implements GitProvider {
  readonly kind = 'github';
  readonly #webUrl: string;
  readonly #api: ApiClient;

  constructor({ token, webUrl = 'https://github.com', apiUrl, ...options }: GitHubProviderOptions) {
    this.#webUrl = webUrl.replace(/\/+$/, '');
    this.#api = new ApiClient({
      name: 'GitHub',
      baseUrl: (apiUrl ?? apiUrlOf(this.#webUrl)).replace(/\/+$/, ''),
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'fairlead',
        'x-github-api-version': '2022-11-28',
      },
      ...options,
    });
  }

  async probeToken(options?: CallOptions): Promise<TokenProbe> {
    const { headers, body } = await this.#api.call({ path: '/user' }, options);
    const scopes = headers.get('x-oauth-scopes');
    const expiry = expiryIn(headers.get('github-authentication-token-expiration'));
    return {
      user: textOf(recordOf(body, 'a user'), 'login'),
      ...(scopes === null
        ? {}
        : {
            scopes: scopes
              .split(',')
              .map((scope) => scope.trim())
              .filter(Boolean),
          }),
      ...(expiry ? { expiresAt: expiry } : {}),
    };
  }

  /** The token's own user first, then its organisations (at most 1,000). */
  async listOrganisations(options?: CallOptions): Promise<Organisation[]> {
    const user = recordOf((await this.#api.call({ path: '/user' }, options)).body, 'a user');
    const found = [organisationOf(user)];
    let cursor: string | undefined = '1';
    for (let count = 0; cursor && count < maxOrganisationPages; count++) {
      const page: Page<Organisation> = await this.#page('/user/orgs', { cursor, limit: 100 }, organisationOf, options);
      found.push(...page.items);
      cursor = page.nextCursor;
    }
    return found;
  }

  async listRepositories(
    { organisation, search = '' }: RepositoryQuery,
    page: PageRequest = {},
    options?: CallOptions,
  ): Promise<Page<ProviderRepository>> {
    const found = await this.#repositories(organisation, page, options);
    const wanted = search.toLowerCase();
    return { ...found, items: found.items.filter(({ fullName }) => fullName.toLowerCase().includes(wanted)) };
  }

  async #repositories(organisation: string | undefined, page: PageRequest, options: CallOptions | undefined) {
    if (organisation === undefined) return this.#page('/user/repos', page, repositoryOf, options);
    const name = encodeURIComponent(organisation);
    try {
      return await this.#page(`/orgs/${name}/repos`, page, repositoryOf, options);
    } catch (error) {
      if (!(error instanceof ProviderNotFoundError)) throw error;
      return this.#page(`/users/${name}/repos`, page, repositoryOf, options); // a person is no organisation
    }
  }

  async createRepository(wanted: NewRepository, options?: CallOptions): Promise<ProviderRepository> {
    const { organisation, name, description, private: isPrivate = true } = wanted;
    repositoryPath(`${organisation}/${name}`);
    const user = recordOf((await this.#api.call({ path: '/user' }, options)).body, 'a user');
    const isOwn = textOf(user, 'login').toLowerCase() === organisation.toLowerCase();
    const path = isOwn ? '/user/repos' : `/orgs/${organisation}/repos`;
    const body = { name, private: isPrivate, ...(description === undefined ? {} : { description }) };
    return repositoryOf(await this.#record({ method: 'POST', path, body }, options));
  }

  listBranches(repository: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<Branch>> {
    return this.#page(`/repos/${repositoryPath(repository)}/branches`, page, branchOf, options);
  }

  async permissionOf(repository: string, user: string, options?: CallOptions): Promise<Permission> {
    const path = `/repos/${repositoryPath(repository)}/collaborators/${encodeURIComponent(user)}/permission`;
    const permission = textOf(await this.#record({ path }, options), 'permission');
    return permission === 'admin' || permission === 'write' || permission === 'read' ? permission : 'none';
  }

  async openPullRequest(wanted: NewPullRequest, options?: CallOptions): Promise<PullRequest> {
    const path = `/repos/${repositoryPath(wanted.repository)}/pulls`;
    const body = { title: wanted.title, body: wanted.body ?? '', head: wanted.from, base: wanted.into };
    return pullRequestOf(await this.#record({ method: 'POST', path, body }, options));
  }

  async getPullRequest(repository: string, number: number, options?: CallOptions): Promise<PullRequest> {
    return pullRequestOf(await this.#record({ path: pullPath(repository, number) }, options));
  }

  async mergePullRequest(wanted: MergeRequest, options?: CallOptions): Promise<{ commit: string }> {
    const { repository, number, method = 'merge', expectedHead } = wanted;
    const path = `${pullPath(repository, number)}/merge`;
    const body = { merge_method: method, ...(expectedHead ? { sha: expectedHead } : {}) };
    return { commit: textOf(await this.#record({ method: 'PUT', path, body }, options), 'sha') };
  }

  async setCommitStatus(status: CommitStatus, options?: CallOptions): Promise<void> {
    const path = `/repos/${repositoryPath(status.repository)}/statuses/${encodeURIComponent(status.commit)}`;
    const { state, context, description, targetUrl } = status;
    // GitHub refuses descriptions above 140 characters.
    const body = { state, context, description: description?.slice(0, 140), target_url: targetUrl };
    await this.#api.call({ method: 'POST', path, body }, options);
  }

  async createWebhook(wanted: NewWebhook, options?: CallOptions): Promise<{ id: string }> {
    const path = `/repos/${repositoryPath(wanted.repository)}/hooks`;
    const config = { url: wanted.url, content_type: 'json', secret: wanted.secret, insecure_ssl: '0' };
    const body = { name: 'web', active: true, events: wanted.events, config };
    return { id: String(numberOf(await this.#record({ method: 'POST', path, body }, options), 'id')) };
  }

  verifyWebhook(delivery: WebhookDelivery, secret: string): boolean {
    return verifyHubSignature(delivery, secret);
  }

  commitUrl(repository: string, commit: string): string {
    return `${this.#webUrl}/${repositoryPath(repository)}/commit/${encodeURIComponent(commit)}`;
  }

  fileUrl(repository: string, { revision, path }: { revision: string; path: string }): string {
    return `${this.#webUrl}/${repositoryPath(repository)}/blob/${escapePath(revision)}/${escapePath(path)}`;
  }

  avatarUrl(user: string): string {
    return `${this.#webUrl}/${encodeURIComponent(user)}.png`;
  }

  async #record(request: ApiRequest, options: CallOptions | undefined): Promise<JsonRecord> {
    return recordOf((await this.#api.call(request, options)).body, request.path);
  }

  async #page<T>(
    path: string,
    { cursor, limit }: PageRequest,
    read: (record: JsonRecord) => T,
    options: CallOptions | undefined,
  ): Promise<Page<T>> {
    const answer = await this.#api.call({ path, query: { per_page: pageSize(limit), page: cursor } }, options);
    const nextCursor = nextPage(answer);
    return { items: recordsOf(answer.body, path).map(read), ...(nextCursor ? { nextCursor } : {}) };
  }
}

function apiUrlOf(webUrl: string): string {
  const { host, origin, protocol } = new URL(webUrl);
  if (host === 'github.com' || host.endsWith('.ghe.com')) return `${protocol}//api.${host}`;
  return `${origin}/api/v3`;
}

/** Only the number is taken from the link: the token must not follow it to another host. */
function nextPage({ headers }: ApiAnswer): string | undefined {
  const link = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return link === undefined ? undefined : /[?&]page=(\d+)/.exec(link)?.[1];
}

/** `2026-12-01 00:00:00 UTC` or `2026-12-01 00:00:00 +0000`. */
function expiryIn(header: string | null): string | undefined {
  const atMs = Date.parse(header ?? '');
  return Number.isFinite(atMs) ? new Date(atMs).toISOString() : undefined;
}

const pullPath = (repository: string, number: number) =>
  `/repos/${repositoryPath(repository)}/pulls/${Math.trunc(number)}`;

function organisationOf(record: JsonRecord): Organisation {
  const avatar = record['avatar_url'];
  return { name: textOf(record, 'login'), ...(typeof avatar === 'string' ? { avatarUrl: avatar } : {}) };
}

function repositoryOf(record: JsonRecord): ProviderRepository {
  return {
    fullName: textOf(record, 'full_name'),
    cloneUrl: textOf(record, 'clone_url'),
    webUrl: textOf(record, 'html_url'),
    defaultBranch: textOf(record, 'default_branch'),
    private: record['private'] === true,
  };
}

function branchOf(record: JsonRecord): Branch {
  const commit = textOf(recordOf(record['commit'], 'a commit'), 'sha');
  return { name: textOf(record, 'name'), commit, protected: record['protected'] === true };
}

function pullRequestOf(record: JsonRecord): PullRequest {
  const head = recordOf(record['head'], 'a head');
  const { mergeable, merge_commit_sha: mergeCommit, merged } = record;
  const open = textOf(record, 'state') === 'open' ? 'open' : 'closed';
  return {
    number: numberOf(record, 'number'),
    state: merged === true ? 'merged' : open,
    title: textOf(record, 'title'),
    webUrl: textOf(record, 'html_url'),
    from: textOf(head, 'ref'),
    into: textOf(recordOf(record['base'], 'a base'), 'ref'),
    headCommit: textOf(head, 'sha'),
    ...(typeof mergeable === 'boolean' ? { mergeable } : {}),
    // While it is open GitHub names a trial merge here, which is nobody's commit.
    ...(merged === true && typeof mergeCommit === 'string' ? { mergeCommit } : {}),
  };
}
