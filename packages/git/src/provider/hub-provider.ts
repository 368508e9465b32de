// The REST API that GitHub made and Gitea and Forgejo took over: the same paths and shapes, with small differences that a
// dialect names.
import { ProviderNotFoundError } from './errors.ts';
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
  ProviderKind,
  ProviderOptions,
  ProviderRepository,
  PullRequest,
  RepositoryQuery,
  TokenProbe,
  WebhookDelivery,
} from './git-provider.ts';
import { type JsonRecord, namesIn, numberOf, personOf, recordOf, textOf } from './json-fields.ts';
import { linkPages } from './paging.ts';
import { ProviderApi } from './provider-api.ts';
import { escapePath, repositoryPath } from './repository-name.ts';
import { withoutSlash } from './web-address.ts';

interface FileAddress {
  readonly revision: string;
  readonly path: string;
}

export interface HubDialect {
  readonly kind: ProviderKind;
  readonly name: string;
  readonly defaultWebUrl: string;
  readonly apiUrlOf: (webUrl: string) => string;
  readonly headers: (token: string) => Readonly<Record<string, string>>;
  readonly pageSize: 'per_page' | 'limit';
  /** Where a branch's commit has its id. */
  readonly commitId: 'sha' | 'id';
  readonly webhookType: string;
  readonly mergeCall: (wanted: MergePullRequest) => { readonly method: 'POST' | 'PUT'; readonly body: unknown };
  readonly verifyWebhook: (delivery: WebhookDelivery, secret: string) => boolean;
  /** After the repository. */
  readonly filePath: (file: FileAddress) => string;
}

export abstract class HubProvider implements GitProvider {
  readonly kind: ProviderKind;
  readonly #dialect: HubDialect;
  readonly #webUrl: string;
  readonly #api: ProviderApi;

  constructor(dialect: HubDialect, { token, webUrl, apiUrl, ...options }: ProviderOptions) {
    this.kind = dialect.kind;
    this.#dialect = dialect;
    this.#webUrl = withoutSlash(webUrl ?? dialect.defaultWebUrl);
    this.#api = new ProviderApi({
      name: dialect.name,
      baseUrl: withoutSlash(apiUrl ?? dialect.apiUrlOf(this.#webUrl)),
      headers: { 'user-agent': 'fairlead', ...dialect.headers(token) },
      paging: linkPages(dialect.pageSize),
      ...options,
    });
  }

  async probeToken(options?: CallOptions): Promise<TokenProbe> {
    const { headers, body } = await this.#api.call({ path: '/user' }, options);
    const scopes = headers.get('x-oauth-scopes');
    const expiry = expiryIn(headers.get('github-authentication-token-expiration'));
    return {
      user: textOf(recordOf(body, 'a user'), 'login'),
      ...(scopes === null ? {} : { scopes: scopes.split(/[\s,]+/).filter(Boolean) }),
      ...(expiry ? { expiresAt: expiry } : {}),
    };
  }

  /** The token's own user first, then its organisations (at most 1,000). */
  async listOrganisations(options?: CallOptions): Promise<Organisation[]> {
    const user = await this.#api.record({ path: '/user' }, options);
    const found = await this.#api.all({ path: '/user/orgs', item: organisationOf }, options);
    return [organisationOf(user), ...found];
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
    const list = (path: string) => this.#api.page({ path, page, item: repositoryOf }, options);
    if (organisation === undefined) return list('/user/repos');
    const name = encodeURIComponent(organisation);
    try {
      return await list(`/orgs/${name}/repos`);
    } catch (error) {
      if (!(error instanceof ProviderNotFoundError)) throw error;
      return list(`/users/${name}/repos`); // a person is no organisation
    }
  }

  async createRepository(wanted: NewRepository, options?: CallOptions): Promise<ProviderRepository> {
    const { organisation, name, description, private: isPrivate = true } = wanted;
    repositoryPath(`${organisation}/${name}`);
    const user = await this.#api.record({ path: '/user' }, options);
    const isOwn = textOf(user, 'login').toLowerCase() === organisation.toLowerCase();
    const path = isOwn ? '/user/repos' : `/orgs/${organisation}/repos`;
    const body = { name, private: isPrivate, ...(description === undefined ? {} : { description }) };
    try {
      return repositoryOf(await this.#api.record({ method: 'POST', path, body }, options));
    } catch (error) {
      if (!(error instanceof ProviderNotFoundError)) throw error;
      throw new ProviderNotFoundError(
        `${this.#dialect.name}: organisation ${organisation}, for a new repository ${name}`,
      );
    }
  }

  listBranches(repository: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<Branch>> {
    const { commitId } = this.#dialect;
    const item = (record: JsonRecord) => branchOf(record, commitId);
    return this.#api.page({ path: `/repos/${repositoryPath(repository)}/branches`, page, item }, options);
  }

  async permissionOf(repository: string, user: string, options?: CallOptions): Promise<Permission> {
    const path = `/repos/${repositoryPath(repository)}/collaborators/${encodeURIComponent(user)}/permission`;
    const permission = textOf(await this.#api.record({ path }, options), 'permission');
    if (permission === 'owner') return 'admin';
    return permission === 'admin' || permission === 'write' || permission === 'read' ? permission : 'none';
  }

  async openPullRequest(wanted: NewPullRequest, options?: CallOptions): Promise<PullRequest> {
    const path = `/repos/${repositoryPath(wanted.repository)}/pulls`;
    const body = { title: wanted.title, body: wanted.body ?? '', head: wanted.from, base: wanted.into };
    return pullRequestOf(await this.#api.record({ method: 'POST', path, body }, options));
  }

  listPullRequests(repository: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<PullRequest>> {
    const path = `/repos/${repositoryPath(repository)}/pulls`;
    return this.#api.page({ path, query: { state: 'open' }, page, item: pullRequestOf }, options);
  }

  async getPullRequest(repository: string, number: number, options?: CallOptions): Promise<PullRequest> {
    return pullRequestOf(await this.#api.record({ path: pullPath(repository, number) }, options));
  }

  async mergePullRequest(wanted: MergePullRequest, options?: CallOptions): Promise<{ commit: string }> {
    const { repository, number } = wanted;
    const path = `${pullPath(repository, number)}/merge`;
    const { body } = await this.#api.call({ path, ...this.#dialect.mergeCall(wanted) }, options);
    if (body !== undefined) return { commit: textOf(recordOf(body, path), 'sha') };
    return { commit: (await this.getPullRequest(repository, number, options)).mergeCommit ?? '' };
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
    const { webhookType } = this.#dialect;
    const kind = webhookType === 'web' ? { name: webhookType } : { type: webhookType };
    const body = { ...kind, active: true, events: wanted.events, config };
    return { id: String(numberOf(await this.#api.record({ method: 'POST', path, body }, options), 'id')) };
  }

  verifyWebhook(delivery: WebhookDelivery, secret: string): boolean {
    return this.#dialect.verifyWebhook(delivery, secret);
  }

  commitUrl(repository: string, commit: string): string {
    return `${this.#webUrl}/${repositoryPath(repository)}/commit/${encodeURIComponent(commit)}`;
  }

  fileUrl(repository: string, file: FileAddress): string {
    return `${this.#webUrl}/${repositoryPath(repository)}/${this.#dialect.filePath(file)}`;
  }

  avatarUrl(user: string): string {
    return `${this.#webUrl}/${encodeURIComponent(user)}.png`;
  }
}

export const fileBelow = (folder: string, { revision, path }: FileAddress): string =>
  `${folder}/${escapePath(revision)}/${escapePath(path)}`;

/** `2026-12-01 00:00:00 UTC` or `2026-12-01 00:00:00 +0000`. */
function expiryIn(header: string | null): string | undefined {
  const atMs = Date.parse(header ?? '');
  return Number.isFinite(atMs) ? new Date(atMs).toISOString() : undefined;
}

const pullPath = (repository: string, number: number) =>
  `/repos/${repositoryPath(repository)}/pulls/${Math.trunc(number)}`;

function organisationOf(record: JsonRecord): Organisation {
  const avatar = record['avatar_url'];
  // Gitea's organisations have a user name, its users both.
  const name = textOf(record, typeof record['login'] === 'string' ? 'login' : 'username');
  return { name, ...(typeof avatar === 'string' ? { avatarUrl: avatar } : {}) };
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

function branchOf(record: JsonRecord, commitId: 'sha' | 'id'): Branch {
  const commit = textOf(recordOf(record['commit'], 'a commit'), commitId);
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
    labels: namesIn(record['labels']),
    author: personOf(record['user'], 'login'),
    ...(typeof mergeable === 'boolean' ? { mergeable } : {}),
    // While it is open GitHub names a trial merge here, which is nobody's commit.
    ...(merged === true && typeof mergeCommit === 'string' ? { mergeCommit } : {}),
  };
}
