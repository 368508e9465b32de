// Bitbucket Cloud by its REST API 2.0. A workspace is an organisation. With a user name (the Atlassian e-mail) the token
// is an API token, without one an access token of a workspace, project or repository.
// Not told by Bitbucket: when a token ends, whether a pull request can be merged, which branches are protected. It cannot
// merge a given head only: an expected head is compared just before.
import { mapLimit, sha256Hex } from '@fairlead/base';
import { ProviderNotFoundError, ProviderRefusedError } from './errors.ts';
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
import { type JsonRecord, numberOf, personOf, recordOf, textOf } from './json-fields.ts';
import { valuePages } from './paging.ts';
import { ProviderApi } from './provider-api.ts';
import { escapePath, repositoryPath } from './repository-name.ts';
import { basicAuthorization, withoutSlash } from './web-address.ts';
import { verifyBitbucketSignature } from './webhook-signature.ts';

interface BitbucketProviderOptions extends ProviderOptions {
  readonly username?: string | undefined;
}

const states = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED', error: 'FAILED' } as const;
const strategies = { merge: 'merge_commit', squash: 'squash', rebase: 'rebase_fast_forward' } as const;
const events = {
  push: ['repo:push'],
  pull_request: [
    'pullrequest:created',
    'pullrequest:updated',
    'pullrequest:approved',
    'pullrequest:fulfilled',
    'pullrequest:rejected',
  ],
} as const;
const maxKeyLength = 40;

export class BitbucketProvider implements GitProvider {
  readonly kind = 'bitbucket';
  readonly #webUrl: string;
  readonly #api: ProviderApi;

  constructor({ token, username, webUrl = 'https://bitbucket.org', apiUrl, ...options }: BitbucketProviderOptions) {
    this.#webUrl = withoutSlash(webUrl);
    const authorization = username ? basicAuthorization(username, token) : token ? `Bearer ${token}` : undefined;
    this.#api = new ProviderApi({
      name: 'Bitbucket',
      baseUrl: withoutSlash(apiUrl ?? apiUrlOf(this.#webUrl)),
      headers: { ...(authorization ? { authorization } : {}), accept: 'application/json', 'user-agent': 'fairlead' },
      paging: valuePages,
      ...options,
    });
  }

  async probeToken(options?: CallOptions): Promise<TokenProbe> {
    const { headers, body } = await this.#api.call({ path: '/user' }, options);
    const scopes = headers.get('x-oauth-scopes');
    return {
      user: nameOf(recordOf(body, 'a user')),
      ...(scopes === null ? {} : { scopes: scopes.split(/[\s,]+/).filter(Boolean) }),
    };
  }

  listOrganisations(options?: CallOptions): Promise<Organisation[]> {
    return this.#api.all({ path: '/user/workspaces', item: workspaceOf }, options);
  }

  async listRepositories(
    { organisation, search = '' }: RepositoryQuery,
    page: PageRequest = {},
    options?: CallOptions,
  ): Promise<Page<ProviderRepository>> {
    const [workspace, inner, following] = await this.#place(organisation, page.cursor, options);
    if (workspace === undefined) return { items: [] };
    const path = `/repositories/${encodeURIComponent(workspace)}`;
    const query = { role: 'member', sort: 'full_name' };
    const request = { path, query, page: { ...page, cursor: inner }, item: repositoryOf };
    const found = await this.#api.page(request, options);
    const wanted = search.toLowerCase();
    const items = found.items.filter(({ fullName }) => fullName.toLowerCase().includes(wanted));
    const next = found.nextCursor === undefined ? following : cursorOf(workspace, found.nextCursor);
    return { items, ...(next ? { nextCursor: next } : {}) };
  }

  /** There is no list over all workspaces: one follows the other. [workspace, page within it, cursor of what follows] */
  async #place(organisation: string | undefined, cursor: string | undefined, options: CallOptions | undefined) {
    const [workspace = '', inner = ''] = (cursor ?? '').split(' ');
    if (organisation !== undefined) return [organisation, inner || undefined, undefined] as const;
    const names = (await this.listOrganisations(options)).map(({ name }) => name);
    const at = workspace === '' ? 0 : names.indexOf(workspace);
    const following = names[at + 1];
    return [names[at], inner || undefined, following === undefined ? undefined : cursorOf(following, '')] as const;
  }

  async createRepository(wanted: NewRepository, options?: CallOptions): Promise<ProviderRepository> {
    const { organisation, name, description, private: isPrivate = true } = wanted;
    const path = projectPath(`${organisation}/${name}`);
    const body = { scm: 'git', is_private: isPrivate, ...(description === undefined ? {} : { description }) };
    return repositoryOf(await this.#api.record({ method: 'POST', path, body }, options));
  }

  listBranches(repository: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<Branch>> {
    return this.#api.page({ path: `${projectPath(repository)}/refs/branches`, page, item: branchOf }, options);
  }

  /** Of others only administrators of the repository are told; the token's own rights show in what it may list. */
  async permissionOf(repository: string, user: string, options?: CallOptions): Promise<Permission> {
    const [workspace = '', name = ''] = repositoryPath(repository).split('/');
    if ((await this.probeToken(options)).user === user) return this.#ownPermission(repository, options);
    const path = `/workspaces/${workspace}/permissions/repositories/${name}`;
    const item = (record: JsonRecord) => ({
      user: recordOf(record['user'], 'a user'),
      permission: textOf(record, 'permission'),
    });
    const found = (await this.#api.all({ path, item }, options)).find(({ user: them }) =>
      [them['nickname'], them['account_id'], them['uuid'], them['display_name']].includes(user),
    );
    const permission = found?.permission;
    return permission === 'admin' || permission === 'write' || permission === 'read' ? permission : 'none';
  }

  async #ownPermission(repository: string, options: CallOptions | undefined): Promise<Permission> {
    const [workspace = '', name = ''] = repositoryPath(repository).split('/');
    const roles = [
      ['admin', 'admin'],
      ['contributor', 'write'],
      ['member', 'read'],
    ] as const;
    for (const [role, permission] of roles) {
      const query = { role, q: `slug="${name}"` };
      const request = { path: `/repositories/${workspace}`, query, page: { limit: 1 }, item: repositoryOf };
      if ((await this.#api.page(request, options)).items.length > 0) return permission;
    }
    throw new ProviderNotFoundError(`Bitbucket: repository ${repository}`);
  }

  async openPullRequest(wanted: NewPullRequest, options?: CallOptions): Promise<PullRequest> {
    const path = `${projectPath(wanted.repository)}/pullrequests`;
    const { title, body: description = '', from, into } = wanted;
    const branch = (name: string) => ({ branch: { name } });
    const body = { title, description, source: branch(from), destination: branch(into) };
    const record = await this.#api.record({ method: 'POST', path, body }, options);
    return this.#withWholeIds(wanted.repository, record, options);
  }

  async listPullRequests(
    repository: string,
    page: PageRequest = {},
    options?: CallOptions,
  ): Promise<Page<PullRequest>> {
    const path = `${projectPath(repository)}/pullrequests`;
    // Not more than 50 at a time is what Bitbucket takes here.
    const bounded = { ...page, limit: Math.min(page.limit ?? 50, 50) };
    const request = { path, query: { state: 'OPEN' }, page: bounded, item: (record: JsonRecord) => record };
    const { items, ...rest } = await this.#api.page(request, options);
    return { items: await mapLimit(items, 8, (record) => this.#withWholeIds(repository, record, options)), ...rest };
  }

  async getPullRequest(repository: string, number: number, options?: CallOptions): Promise<PullRequest> {
    const record = await this.#api.record({ path: pullPath(repository, number) }, options);
    return this.#withWholeIds(repository, record, options);
  }

  async mergePullRequest(wanted: MergePullRequest, options?: CallOptions): Promise<{ commit: string }> {
    const { repository, number, method = 'merge', expectedHead } = wanted;
    const path = `${pullPath(repository, number)}/merge`;
    if (expectedHead !== undefined) {
      const { headCommit } = await this.getPullRequest(repository, number, options);
      if (headCommit !== expectedHead)
        throw new ProviderRefusedError(`Bitbucket: POST ${path}`, 409, `the head is ${headCommit} by now`);
    }
    const body = { type: 'pullrequest_merge_parameters', merge_strategy: strategies[method] };
    const record = await this.#api.record({ method: 'POST', path, body }, options);
    return { commit: (await this.#withWholeIds(repository, record, options)).mergeCommit ?? '' };
  }

  /** Pull requests name their commits by twelve digits. */
  async #withWholeIds(repository: string, record: JsonRecord, options: CallOptions | undefined): Promise<PullRequest> {
    const pull = pullRequestOf(record);
    const whole = async (id: string) =>
      id.length >= 40
        ? id
        : textOf(await this.#api.record({ path: `${projectPath(repository)}/commit/${id}` }, options), 'hash');
    const headCommit = await whole(pull.headCommit);
    return { ...pull, headCommit, ...(pull.mergeCommit ? { mergeCommit: await whole(pull.mergeCommit) } : {}) };
  }

  async setCommitStatus(status: CommitStatus, options?: CallOptions): Promise<void> {
    const { repository, commit, context, description, targetUrl } = status;
    const path = `${projectPath(repository)}/commit/${encodeURIComponent(commit)}/statuses/build`;
    const key = context.length <= maxKeyLength ? context : sha256Hex(context).slice(0, maxKeyLength);
    const url = targetUrl ?? this.commitUrl(repository, commit); // Bitbucket demands one
    const body = { key, name: context, state: states[status.state], description, url };
    await this.#api.call({ method: 'POST', path, body }, options);
  }

  async createWebhook(wanted: NewWebhook, options?: CallOptions): Promise<{ id: string }> {
    const path = `${projectPath(wanted.repository)}/hooks`;
    const { url, secret } = wanted;
    const wantedEvents = wanted.events.flatMap((event) => events[event]);
    const body = { description: 'Fairlead', url, secret, active: true, events: wantedEvents };
    return { id: textOf(await this.#api.record({ method: 'POST', path, body }, options), 'uuid') };
  }

  verifyWebhook(delivery: WebhookDelivery, secret: string): boolean {
    return verifyBitbucketSignature(delivery, secret);
  }

  commitUrl(repository: string, commit: string): string {
    return `${this.#webUrl}/${repositoryPath(repository)}/commits/${encodeURIComponent(commit)}`;
  }

  fileUrl(repository: string, { revision, path }: { revision: string; path: string }): string {
    return `${this.#webUrl}/${repositoryPath(repository)}/src/${encodeURIComponent(revision)}/${escapePath(path)}`;
  }

  /** People have no address that is made from their name; workspaces bring their own. */
  avatarUrl(): undefined {
    return undefined;
  }
}

function apiUrlOf(webUrl: string): string {
  const { host, origin, protocol } = new URL(webUrl);
  return host === 'bitbucket.org' ? `${protocol}//api.${host}/2.0` : `${origin}/2.0`;
}

const cursorOf = (workspace: string, inner: string) => `${workspace} ${inner}`;
const projectPath = (repository: string) => `/repositories/${repositoryPath(repository)}`;
const pullPath = (repository: string, number: number) =>
  `${projectPath(repository)}/pullrequests/${Math.trunc(number)}`;

function hrefOf(links: unknown, name: string): string | undefined {
  const link = recordOf(links ?? {}, 'links')[name];
  const { href } = recordOf(link ?? {}, `link ${name}`);
  return typeof href === 'string' ? href : undefined;
}

function nameOf(user: JsonRecord): string {
  const name = [user['nickname'], user['username'], user['display_name']].find((text) => typeof text === 'string');
  return typeof name === 'string' ? name : textOf(user, 'uuid');
}

function workspaceOf(record: JsonRecord): Organisation {
  const workspace = recordOf(record['workspace'], 'a workspace');
  const avatar = hrefOf(workspace['links'], 'avatar');
  return { name: textOf(workspace, 'slug'), ...(avatar ? { avatarUrl: avatar } : {}) };
}

function repositoryOf(record: JsonRecord): ProviderRepository {
  const links = recordOf(record['links'], 'links');
  const clones = Array.isArray(links['clone']) ? links['clone'].map((link) => recordOf(link, 'a clone link')) : [];
  const https = clones.find(({ name }) => name !== 'ssh');
  const { mainbranch } = record;
  return {
    fullName: textOf(record, 'full_name'),
    // It names the user who asked.
    cloneUrl: textOf(https ?? {}, 'href').replace(/^(https?:\/\/)[^/@]*@/, '$1'),
    webUrl: hrefOf(links, 'html') ?? '',
    defaultBranch: mainbranch ? textOf(recordOf(mainbranch, 'a branch'), 'name') : 'main',
    private: record['is_private'] === true,
  };
}

const branchOf = (record: JsonRecord): Branch => ({
  name: textOf(record, 'name'),
  commit: textOf(recordOf(record['target'], 'a commit'), 'hash'),
  protected: false,
});

function pullRequestOf(record: JsonRecord): PullRequest {
  const end = (side: string) => recordOf(record[side], side);
  const branch = (side: string) => textOf(recordOf(end(side)['branch'], 'a branch'), 'name');
  const state = textOf(record, 'state');
  const merge = record['merge_commit'];
  return {
    number: numberOf(record, 'id'),
    state: state === 'OPEN' ? 'open' : state === 'MERGED' ? 'merged' : 'closed',
    title: textOf(record, 'title'),
    webUrl: hrefOf(record['links'], 'html') ?? '',
    from: branch('source'),
    into: branch('destination'),
    headCommit: textOf(recordOf(end('source')['commit'], 'a commit'), 'hash'),
    labels: [],
    author: personOf(record['author'], 'nickname'),
    ...(state === 'MERGED' && merge ? { mergeCommit: textOf(recordOf(merge, 'a commit'), 'hash') } : {}),
  };
}
