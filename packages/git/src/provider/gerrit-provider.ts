// Gerrit by its REST API, with user name and HTTP password. It has projects and no organisations: what stands before the
// first slash of a project's name is taken for one. A pull request is a change that merges the branch; its topic is the
// name of the branch. A commit status is a vote on the label Verified of the change that the commit belongs to, or a
// message where the project has no such label.
// What Gerrit cannot: private projects by a flag (access is inherited), squash and rebase by the caller's choice (a setting
// of the project), signed webhooks.
import { mapLimit } from '@fairlead/base';
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
} from './git-provider.ts';
import { type JsonRecord, namesIn, numberOf, personOf, recordsOf, textOf } from './json-fields.ts';
import { skippedPages } from './paging.ts';
import { ProviderApi } from './provider-api.ts';
import { escapePath, nestedRepositoryPath } from './repository-name.ts';
import { basicAuthorization, isCommitId, withoutSlash } from './web-address.ts';

interface GerritProviderOptions extends ProviderOptions {
  readonly username: string;
  readonly webUrl: string;
}

const votes = { pending: 0, success: 1, failure: -1, error: -1 } as const;
const events = {
  push: ['ref-updated'],
  pull_request: ['patchset-created', 'change-merged', 'change-abandoned'],
} as const;

export class GerritProvider implements GitProvider {
  readonly kind = 'gerrit';
  readonly #webUrl: string;
  readonly #api: ProviderApi;

  constructor({ token, username, webUrl, apiUrl, ...options }: GerritProviderOptions) {
    this.#webUrl = withoutSlash(webUrl);
    this.#api = new ProviderApi({
      name: 'Gerrit',
      baseUrl: withoutSlash(apiUrl ?? `${this.#webUrl}/a`),
      headers: { authorization: basicAuthorization(username, token), accept: 'application/json' },
      paging: skippedPages,
      jsonPrefix: ")]}'",
      ...options,
    });
  }

  /** Passwords have no scopes; what the account may do beyond its rights in projects are its capabilities. */
  async probeToken(options?: CallOptions): Promise<TokenProbe> {
    const user = await this.#api.record({ path: '/accounts/self' }, options);
    const capabilities = await this.#api.record({ path: '/accounts/self/capabilities' }, options);
    const scopes = Object.keys(capabilities).filter((name) => capabilities[name] !== false);
    return { user: textOf(user, 'username'), scopes };
  }

  async listOrganisations(options?: CallOptions): Promise<Organisation[]> {
    const names = await this.#api.all({ path: '/projects/', query: { type: 'CODE' }, item: projectName }, options);
    const folders = names.filter((name) => name.includes('/')).map((name) => name.slice(0, name.indexOf('/')));
    return [...new Set(folders)].map((name) => ({ name }));
  }

  async listRepositories(
    { organisation, search = '' }: RepositoryQuery,
    page: PageRequest = {},
    options?: CallOptions,
  ): Promise<Page<ProviderRepository>> {
    const prefix = organisation === undefined ? undefined : `${organisation}/`;
    const query = { type: 'CODE', ...(prefix ? { p: prefix } : search ? { m: search } : {}) };
    const found = await this.#api.page({ path: '/projects/', query, page, item: projectName }, options);
    const wanted = found.items.filter((name) => name.toLowerCase().includes(search.toLowerCase()));
    const items = await mapLimit(wanted, 8, (name) => this.#describe(name, options));
    return { ...found, items };
  }

  async #describe(name: string, options: CallOptions | undefined): Promise<ProviderRepository> {
    const { body } = await this.#api.call({ path: `${projectPath(name)}/HEAD` }, options);
    const head = typeof body === 'string' ? body : '';
    return this.#repository(name, head.replace(/^refs\/heads\//, '') || 'master');
  }

  #repository(fullName: string, defaultBranch: string): ProviderRepository {
    // Below /a git asks for the password; elsewhere it reads as nobody.
    const cloneUrl = `${this.#webUrl}/a/${fullName}`;
    const webUrl = `${this.#webUrl}/admin/repos/${escapePath(fullName)}`;
    return { fullName, cloneUrl, webUrl, defaultBranch, private: true };
  }

  async createRepository(wanted: NewRepository, options?: CallOptions): Promise<ProviderRepository> {
    const { organisation, name, description } = wanted;
    const fullName = nestedRepositoryPath(organisation === '' ? name : `${organisation}/${name}`, { least: 1 });
    const body = { branches: ['main'], create_empty_commit: false, ...(description ? { description } : {}) };
    await this.#api.call({ method: 'PUT', path: projectPath(fullName), body }, options);
    return this.#repository(fullName, 'main');
  }

  async listBranches(repository: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<Branch>> {
    const path = `${projectPath(repository)}/branches/`;
    const item = (record: JsonRecord) => ({ ref: textOf(record, 'ref'), commit: textOf(record, 'revision') });
    const found = await this.#api.page({ path, page, item }, options);
    const heads = found.items.filter(({ ref }) => ref.startsWith('refs/heads/')); // HEAD and refs/meta/config are none
    const items = heads.map(({ ref, commit }) => ({ name: ref.slice('refs/heads/'.length), commit, protected: false }));
    return { ...found, items };
  }

  async permissionOf(repository: string, user: string, options?: CallOptions): Promise<Permission> {
    const path = `${projectPath(repository)}/check.access`;
    const may = async (permission: Readonly<Record<string, string>>) => {
      const { status } = await this.#api.record({ path, query: { account: user, ...permission } }, options);
      return status === 200;
    };
    if (!(await may({}))) return 'none';
    if (await may({ ref: 'refs/*', perm: 'owner' })) return 'admin';
    return (await may({ ref: 'refs/heads/*', perm: 'push' })) ? 'write' : 'read';
  }

  async openPullRequest(wanted: NewPullRequest, options?: CallOptions): Promise<PullRequest> {
    const { repository, title, body: text, from, into } = wanted;
    const project = nestedRepositoryPath(repository, { least: 1 });
    const subject = text ? `${title}\n\n${text}` : title;
    const merge = { source: `refs/heads/${from}` };
    const body = { project, branch: into, subject, topic: from, status: 'NEW', merge };
    const made = await this.#api.record({ method: 'POST', path: '/changes/', body }, options);
    return this.getPullRequest(repository, numberOf(made, '_number'), options);
  }

  async listPullRequests(
    repository: string,
    page: PageRequest = {},
    options?: CallOptions,
  ): Promise<Page<PullRequest>> {
    const project = nestedRepositoryPath(repository, { least: 1 });
    const item = (record: JsonRecord) => this.#change(repository, record);
    const query = { q: `project:${project} status:open` };
    return this.#api.page({ path: `/changes/?${changeDetails}`, query, page, item }, options);
  }

  async getPullRequest(repository: string, number: number, options?: CallOptions): Promise<PullRequest> {
    const path = `${changePath(repository, number)}?${changeDetails}`;
    return this.#change(repository, await this.#api.record({ path }, options));
  }

  #change(repository: string, record: JsonRecord): PullRequest {
    const status = textOf(record, 'status');
    const number = numberOf(record, '_number');
    const headCommit = textOf(record, 'current_revision');
    const { topic, submittable } = record;
    return {
      number,
      state: status === 'NEW' ? 'open' : status === 'MERGED' ? 'merged' : 'closed',
      title: textOf(record, 'subject'),
      webUrl: `${this.#webUrl}/c/${escapePath(repository)}/+/${number}`,
      from: typeof topic === 'string' ? topic : '',
      into: textOf(record, 'branch').replace(/^refs\/heads\//, ''),
      headCommit,
      labels: namesIn(record['hashtags']),
      author: personOf(record['owner'], 'username'),
      ...(status === 'NEW' && typeof submittable === 'boolean' ? { mergeable: submittable } : {}),
      ...(status === 'MERGED' ? { mergeCommit: headCommit } : {}),
    };
  }

  async mergePullRequest(wanted: MergePullRequest, options?: CallOptions): Promise<{ commit: string }> {
    const { repository, number, method = 'merge', expectedHead } = wanted;
    if (method !== 'merge') throw new ProviderUnsupportedError('Gerrit', `merge by ${method} that a caller chooses`);
    const revision = expectedHead === undefined ? '' : `/revisions/${encodeURIComponent(expectedHead)}`;
    const path = `${changePath(repository, number)}${revision}/submit`;
    await this.#api.call({ method: 'POST', path, body: {} }, options);
    return { commit: (await this.getPullRequest(repository, number, options)).mergeCommit ?? '' };
  }

  async setCommitStatus(status: CommitStatus, options?: CallOptions): Promise<void> {
    const { repository, commit, state, context, description = '', targetUrl = '' } = status;
    const number = await this.#changeOf(repository, commit, options);
    const path = `${changePath(repository, number)}/revisions/${encodeURIComponent(commit)}/review`;
    const message = [`${context}: ${state}`, description, targetUrl].filter(Boolean).join('\n');
    const body = { message, tag: `autogenerated:fairlead~${context}` };
    const labels = { Verified: votes[state] };
    try {
      await this.#api.call({ method: 'POST', path, body: { ...body, labels } }, options);
    } catch (error) {
      // The project has no such label, or this account may not vote on it: nothing of the review was kept.
      const isLabel = /[Ll]abel/.test(String(error));
      const isRefused = error instanceof ProviderRefusedError || error instanceof ProviderForbiddenError;
      if (!isRefused || !isLabel) throw error;
      await this.#api.call({ method: 'POST', path, body }, options);
    }
  }

  async #changeOf(repository: string, commit: string, options: CallOptions | undefined): Promise<number> {
    const project = nestedRepositoryPath(repository, { least: 1 });
    const q = `commit:${commit} project:${project}`;
    const { body } = await this.#api.call({ path: '/changes/', query: { q, n: '1' } }, options);
    const [change] = recordsOf(body, '/changes/');
    if (change) return numberOf(change, '_number');
    throw new ProviderNotFoundError(`Gerrit: a change with commit ${commit} (only changes have statuses)`);
  }

  /** By the plugin `webhooks`; without it Gerrit answers not found. */
  async createWebhook(wanted: NewWebhook, options?: CallOptions): Promise<{ id: string }> {
    const project = encodeURIComponent(nestedRepositoryPath(wanted.repository, { least: 1 }));
    const path = `/config/server/webhooks~projects/${project}/remotes/fairlead`;
    const body = { url: wanted.url, events: wanted.events.flatMap((event) => events[event]), sslVerify: true };
    await this.#api.call({ method: 'PUT', path, body }, options);
    return { id: 'fairlead' };
  }

  /** Gerrit signs nothing, so nothing proves that a delivery is its own. */
  verifyWebhook(): boolean {
    return false;
  }

  /** Pages of the plugin gitiles, which Gerrit is usually installed with. */
  commitUrl(repository: string, commit: string): string {
    return `${this.#gitiles(repository)}/+/${encodeURIComponent(commit)}`;
  }

  fileUrl(repository: string, { revision, path }: { revision: string; path: string }): string {
    const place = isCommitId(revision) ? revision : `refs/heads/${escapePath(revision)}`;
    return `${this.#gitiles(repository)}/+/${place}/${escapePath(path)}`;
  }

  avatarUrl(): undefined {
    return undefined;
  }

  #gitiles(repository: string): string {
    return `${this.#webUrl}/plugins/gitiles/${escapePath(nestedRepositoryPath(repository, { least: 1 }))}`;
  }
}

/** What of a change is asked for. */
const changeDetails = 'o=CURRENT_REVISION&o=SUBMITTABLE&o=DETAILED_ACCOUNTS';

const projectName = (record: JsonRecord) => textOf(record, 'name');
const projectPath = (repository: string) =>
  `/projects/${encodeURIComponent(nestedRepositoryPath(repository, { least: 1 }))}`;
const changePath = (repository: string, number: number) =>
  `/changes/${encodeURIComponent(nestedRepositoryPath(repository, { least: 1 }))}~${Math.trunc(number)}`;
