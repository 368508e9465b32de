// The built-in git server by its own small API (docs/components/git-server.md). Whoever has the key may do everything,
// so every user is an administrator. The server has no web pages, and its webhooks are settings: a call that makes one is
// refused by name.
import { ProviderUnsupportedError } from './errors.ts';
import type {
  Branch,
  CallOptions,
  CommitStatus,
  GitProvider,
  MergePullRequest,
  NewPullRequest,
  NewRepository,
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
import { type JsonRecord, numberOf, recordsOf, textOf } from './json-fields.ts';
import { cursorPages } from './paging.ts';
import { ProviderApi } from './provider-api.ts';
import { repositoryPath } from './repository-name.ts';
import { basicAuthorization, withoutSlash } from './web-address.ts';
import { verifyHubSignature } from './webhook-signature.ts';

interface BuiltinProviderOptions {
  /** Where the git server is reached. */
  readonly url: string;
  readonly apiKey: string;
  /** Who is written into webhooks as the pusher. */
  readonly user?: string;
  /** Whom to believe about its address, PEM; default: whom the machine believes. */
  readonly authority?: string | undefined;
}

const name = 'the built-in git server';

export class BuiltinProvider implements GitProvider {
  readonly kind = 'builtin';
  readonly #api: ProviderApi;

  constructor({ url, apiKey, user = 'git', authority }: BuiltinProviderOptions) {
    const headers = { authorization: basicAuthorization(user, apiKey) };
    const baseUrl = `${withoutSlash(url)}/api/v1`;
    this.#api = new ProviderApi({ name, baseUrl, headers, authority, paging: cursorPages });
  }

  async probeToken(options?: CallOptions): Promise<TokenProbe> {
    return { user: textOf(await this.#api.record({ path: '/user' }, options), 'name') };
  }

  async listOrganisations(options?: CallOptions): Promise<Organisation[]> {
    const { items } = await this.#api.record({ path: '/organisations' }, options);
    return recordsOf(items, 'organisations').map((record) => ({ name: textOf(record, 'name') }));
  }

  listRepositories(
    { organisation, search }: RepositoryQuery,
    page: PageRequest = {},
    options?: CallOptions,
  ): Promise<Page<ProviderRepository>> {
    return this.#api.page(
      { path: '/repositories', query: { organisation, search }, page, item: repositoryOf },
      options,
    );
  }

  async createRepository(wanted: NewRepository, options?: CallOptions): Promise<ProviderRepository> {
    const body = { organisation: wanted.organisation, name: wanted.name };
    return repositoryOf(await this.#api.record({ method: 'POST', path: '/repositories', body }, options));
  }

  listBranches(repository: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<Branch>> {
    const path = `/repositories/${repositoryPath(repository)}/branches`;
    return this.#api.page({ path, page, item: branchOf }, options);
  }

  async permissionOf(repository: string, _user: string, options?: CallOptions): Promise<Permission> {
    await this.listBranches(repository, { limit: 1 }, options); // a repository that is not there grants nothing
    return 'admin';
  }

  async openPullRequest(wanted: NewPullRequest, options?: CallOptions): Promise<PullRequest> {
    const { repository, ...body } = wanted;
    const path = `/repositories/${repositoryPath(repository)}/pulls`;
    return pullRequestOf(await this.#api.record({ method: 'POST', path, body }, options));
  }

  listPullRequests(repository: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<PullRequest>> {
    const path = `/repositories/${repositoryPath(repository)}/pulls`;
    return this.#api.page({ path, page, item: pullRequestOf }, options);
  }

  async getPullRequest(repository: string, number: number, options?: CallOptions): Promise<PullRequest> {
    return pullRequestOf(await this.#api.record({ path: pullPath(repository, number) }, options));
  }

  async mergePullRequest(wanted: MergePullRequest, options?: CallOptions): Promise<{ commit: string }> {
    const { repository, number, ...body } = wanted;
    const path = `${pullPath(repository, number)}/merge`;
    return { commit: textOf(await this.#api.record({ method: 'POST', path, body }, options), 'commit') };
  }

  async setCommitStatus(status: CommitStatus, options?: CallOptions): Promise<void> {
    const { repository, commit, ...body } = status;
    const path = `/repositories/${repositoryPath(repository)}/statuses/${encodeURIComponent(commit)}`;
    await this.#api.call({ method: 'POST', path, body }, options);
  }

  createWebhook(): Promise<never> {
    return Promise.reject(new ProviderUnsupportedError(name, 'webhooks per repository; set gitWebhookUrls'));
  }

  verifyWebhook(delivery: WebhookDelivery, secret: string): boolean {
    return verifyHubSignature(delivery, secret);
  }

  commitUrl(): undefined {
    return undefined;
  }

  fileUrl(): undefined {
    return undefined;
  }

  avatarUrl(): undefined {
    return undefined;
  }
}

function repositoryOf(record: JsonRecord): ProviderRepository {
  const cloneUrl = textOf(record, 'cloneUrl');
  return {
    fullName: textOf(record, 'fullName'),
    cloneUrl,
    webUrl: cloneUrl.replace(/\.git$/, ''),
    defaultBranch: textOf(record, 'defaultBranch'),
    private: true,
  };
}

const branchOf = (record: JsonRecord): Branch => ({
  name: textOf(record, 'name'),
  commit: textOf(record, 'commit'),
  protected: false,
});

const pullPath = (repository: string, number: number) =>
  `/repositories/${repositoryPath(repository)}/pulls/${Math.trunc(number)}`;

function pullRequestOf(record: JsonRecord): PullRequest {
  const { mergeable, mergeCommit } = record;
  return {
    number: numberOf(record, 'number'),
    state: textOf(record, 'state') === 'merged' ? 'merged' : 'open',
    title: textOf(record, 'title'),
    webUrl: textOf(record, 'webUrl'),
    from: textOf(record, 'from'),
    into: textOf(record, 'into'),
    headCommit: textOf(record, 'headCommit'),
    labels: [],
    author: textOf(record, 'author'),
    ...(typeof mergeable === 'boolean' ? { mergeable } : {}),
    ...(typeof mergeCommit === 'string' ? { mergeCommit } : {}),
  };
}
