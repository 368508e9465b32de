// What Fairlead asks of the place where repositories live, the same words for every kind of place.
//
// A provider holds one person's (or one machine's) token and speaks as them. Every answer is what the provider said now;
// nothing is cached here. Failures are the errors of `errors.ts`, never a status code.
import type { Clock } from '@fairlead/base';

export type ProviderKind = 'builtin' | 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'gerrit';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A page may be shorter than asked for, even empty, and have a next one all the same. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Give it back as `cursor`; absent on the last page. */
  readonly nextCursor?: string;
}

export interface PageRequest {
  readonly cursor?: string | undefined;
  /** Default 50, at most 100. */
  readonly limit?: number | undefined;
}

export interface Organisation {
  readonly name: string;
  readonly avatarUrl?: string;
}

export interface ProviderRepository {
  /** `org/name`. */
  readonly fullName: string;
  readonly cloneUrl: string;
  readonly webUrl: string;
  readonly defaultBranch: string;
  readonly private: boolean;
}

export interface RepositoryQuery {
  readonly organisation?: string | undefined;
  /** Part of the full name, in any case. */
  readonly search?: string | undefined;
}

export interface NewRepository {
  readonly organisation: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** Default true. */
  readonly private?: boolean | undefined;
}

export interface Branch {
  readonly name: string;
  readonly commit: string;
  readonly protected: boolean;
}

export type Permission = 'none' | 'read' | 'write' | 'admin';

export interface NewPullRequest {
  readonly repository: string;
  readonly title: string;
  readonly body?: string | undefined;
  readonly from: string;
  readonly into: string;
}

export interface PullRequest {
  readonly number: number;
  readonly state: 'open' | 'merged' | 'closed';
  readonly title: string;
  readonly webUrl: string;
  readonly from: string;
  readonly into: string;
  readonly headCommit: string;
  /** Empty where the provider has none. */
  readonly labels: readonly string[];
  /** As the provider calls them; empty when it does not tell. */
  readonly author: string;
  /** Absent while the provider is still finding out. */
  readonly mergeable?: boolean;
  readonly mergeCommit?: string;
}

export interface MergePullRequest {
  readonly repository: string;
  readonly number: number;
  readonly method?: 'merge' | 'squash' | 'rebase' | undefined;
  /** Merge only if this is still the newest commit of the pull request. */
  readonly expectedHead?: string | undefined;
}

export interface CommitStatus {
  readonly repository: string;
  readonly commit: string;
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  /** Which check this is; a later status of the same context replaces it. */
  readonly context: string;
  readonly description?: string | undefined;
  readonly targetUrl?: string | undefined;
}

export interface NewWebhook {
  readonly repository: string;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly ('push' | 'pull_request')[];
}

export interface WebhookDelivery {
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they came: a signature is over bytes. */
  readonly body: Uint8Array;
}

export interface TokenProbe {
  /** Who the token speaks as. */
  readonly user: string;
  /** Absent when the provider does not tell (fine-grained tokens; Gitea). Gerrit: the account's capabilities. */
  readonly scopes?: readonly string[];
  /** ISO time; absent when the token does not end or the provider does not tell. */
  readonly expiresAt?: string;
}

/** What every provider is made from. */
export interface ProviderOptions {
  /** Empty: nobody in particular, who sees what everybody may see. */
  readonly token: string;
  /** Where people look, e.g. `https://gitlab.example.com`; default: the public service, where there is one. */
  readonly webUrl?: string | undefined;
  /** Default: what belongs to `webUrl`. */
  readonly apiUrl?: string | undefined;
  /** Whom to believe about its address, PEM; default: whom the machine believes. */
  readonly authority?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly timeoutMs?: number | undefined;
  /** A provider that asks to wait longer than this is an error to the caller; default 10 s. */
  readonly maxWaitMs?: number | undefined;
}

export interface GitProvider {
  readonly kind: ProviderKind;
  probeToken(options?: CallOptions): Promise<TokenProbe>;
  listOrganisations(options?: CallOptions): Promise<readonly Organisation[]>;
  listRepositories(
    query: RepositoryQuery,
    page?: PageRequest,
    options?: CallOptions,
  ): Promise<Page<ProviderRepository>>;
  createRepository(wanted: NewRepository, options?: CallOptions): Promise<ProviderRepository>;
  listBranches(repository: string, page?: PageRequest, options?: CallOptions): Promise<Page<Branch>>;
  permissionOf(repository: string, user: string, options?: CallOptions): Promise<Permission>;
  openPullRequest(wanted: NewPullRequest, options?: CallOptions): Promise<PullRequest>;
  /** Those that are open. */
  listPullRequests(repository: string, page?: PageRequest, options?: CallOptions): Promise<Page<PullRequest>>;
  getPullRequest(repository: string, number: number, options?: CallOptions): Promise<PullRequest>;
  /** Gives back the merge's commit. */
  mergePullRequest(wanted: MergePullRequest, options?: CallOptions): Promise<{ readonly commit: string }>;
  setCommitStatus(status: CommitStatus, options?: CallOptions): Promise<void>;
  createWebhook(wanted: NewWebhook, options?: CallOptions): Promise<{ readonly id: string }>;
  verifyWebhook(delivery: WebhookDelivery, secret: string): boolean;
  /** Pages for people; undefined where the provider has none. */
  commitUrl(repository: string, commit: string): string | undefined;
  fileUrl(repository: string, file: { readonly revision: string; readonly path: string }): string | undefined;
  avatarUrl(user: string): string | undefined;
}
