// Repositories as one user may see and change them: every read asks the remote with that user's own token first, every
// commit is theirs and pushed with their token. Nothing here has a credential of its own.
import { mapLimit } from '@fairlead/base';
import type { AssertionClaims, CommitReceipt, RepositoryKeys } from '@fairlead/contracts';
import {
  AuthenticationRefusedError,
  BranchBusyError,
  ConflictError,
  type FileChange,
  GitCommits,
  type GitCredentials,
  type GitMirrors,
  type GitProvider,
  type Identity,
  InvalidChangeError,
  InvalidRepositoryUrlError,
  PushRefusedError,
  parseRepositoryUrl,
  type Repository,
  RepositoryUnreachableError,
  RevisionNotFoundError,
  redactUrl,
} from '@fairlead/git';
import { GitAccessError } from './errors.ts';
import type { GitTokens, UsableToken } from './git-tokens.ts';
import { fullNameOf, gitUsername } from './git-username.ts';
import { providerOf } from './probe-token.ts';

interface GitAccessOptions {
  readonly mirrors: GitMirrors;
  readonly tokens: GitTokens;
}

/** Whose act it is. */
export type Actor = Pick<AssertionClaims, 'sub' | 'name' | 'email'>;

export interface CommitWish {
  readonly repoURL: string;
  readonly branch: string;
  readonly changes: readonly FileChange[];
  readonly message: string;
  /** The commit the user looked at; a changed path that moved on since is a conflict. */
  readonly base?: string | undefined;
}

export interface ReadRepository {
  readonly repository: Repository;
  /** The commit that the revision means now. */
  readonly commit: string;
}

interface Call {
  readonly signal?: AbortSignal | undefined;
}

export class GitAccess {
  readonly #mirrors: GitMirrors;
  readonly #commits: GitCommits;
  readonly #tokens: GitTokens;

  constructor({ mirrors, tokens }: GitAccessOptions) {
    this.#mirrors = mirrors;
    this.#commits = new GitCommits({ mirrors });
    this.#tokens = tokens;
  }

  /** The repository at a branch, tag or commit, after its remote has let this user read it. */
  async read(actor: Actor, wanted: { repoURL: string; revision: string }, call: Call = {}): Promise<ReadRepository> {
    const { repoURL, revision } = wanted;
    const { credentials } = await this.#credentials(actor, repoURL, call);
    return this.#explained(repoURL, async () => {
      // A commit id can be in the mirror already; the remote is asked all the same, whether this user may read it.
      if (/^[0-9a-f]{40}$/.test(revision)) await this.#mirrors.resolve(repoURL, 'HEAD', { credentials, ...call });
      const commit = await this.#mirrors.resolve(repoURL, revision || 'HEAD', { credentials, ...call });
      return { repository: await this.#mirrors.repository(repoURL), commit };
    });
  }

  /** What the user's own tokens open of these, for another component of the runtime that reads them for this user. */
  async keysFor(actor: Actor, repoURLs: readonly string[], call: Call = {}): Promise<RepositoryKeys> {
    return mapLimit([...new Set(repoURLs)], 4, async (repoURL) => {
      const { username = '', password = '' } = (await this.#credentials(actor, repoURL, call)).credentials;
      return { repoURL, username, password };
    });
  }

  /** The branch that a revision names, for who is going to commit there; refuses a tag or a commit. */
  async branchOf(actor: Actor, wanted: { repoURL: string; revision: string }, call: Call = {}): Promise<string> {
    const { repoURL, revision } = wanted;
    const { names, defaultBranch } = await this.branches(actor, repoURL, call);
    const isHead = revision === '' || revision === 'HEAD';
    const branch = isHead ? defaultBranch : revision.replace(/^refs\/heads\//, '');
    if (branch !== undefined && names.includes(branch)) return branch;
    const message = `revision: ${revision || 'HEAD'} is no branch of ${redactUrl(repoURL)}, so nothing can be committed there; follow a branch`;
    throw new GitAccessError('invalid', message, { details: { field: 'targetRevision' } });
  }

  async branches(
    actor: Actor,
    repoURL: string,
    call: Call = {},
  ): Promise<{ names: readonly string[]; defaultBranch: string | undefined }> {
    const { credentials } = await this.#credentials(actor, repoURL, call);
    return this.#explained(repoURL, async () => {
      const names = await this.#mirrors.branches(repoURL, { credentials, ...call });
      return { names, defaultBranch: await this.#mirrors.defaultBranch(repoURL, { credentials, ...call }) };
    });
  }

  /** The provider of a host, speaking with the user's own token. */
  async provider(actor: Actor, host: string, call: Call = {}): Promise<GitProvider> {
    const token = await this.#tokens.find(actor.sub, host, call);
    if (!token) throw noToken(host);
    const provider = providerOf(token);
    if (provider) return provider;
    const message = `host: ${host} has no API that lists repositories; give the address of the repository instead`;
    throw new GitAccessError('invalid', message, { details: { field: 'host' } });
  }

  /** One commit by the user, or none when the branch holds it already; then `commit.sha` is the head of the branch. */
  async commit(actor: Actor, wish: CommitWish, call: Call = {}): Promise<CommitReceipt> {
    const { repoURL, branch, changes, message, base } = wish;
    const { credentials, token } = await this.#credentials(actor, repoURL, call);
    return this.#explained(repoURL, async () => {
      const request = { url: repoURL, branch, changes, message, author: identityOf(actor), expectedBase: base };
      const outcome = await this.#commits.commitFiles(request, { credentials, ...call });
      const sha = outcome.commit ?? '';
      const url = commitUrl(token, repoURL, sha);
      const path = changes[0]?.path ?? '';
      return { sha, branch, repoURL, path, changed: outcome.committed, ...(url ? { url } : {}) };
    });
  }

  async #credentials(
    actor: Actor,
    repoURL: string,
    call: Call,
  ): Promise<{ credentials: GitCredentials; token: UsableToken }> {
    const host = hostOf(repoURL);
    const token = await this.#tokens.find(actor.sub, host, call);
    if (!token) throw noToken(host);
    return { credentials: { username: gitUsername(token, actor.name), password: token.token }, token };
  }

  async #explained<T>(repoURL: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw gitFailure(error, repoURL);
    }
  }
}

export function noToken(host: string): GitAccessError {
  const message = `you have no Git token for ${host} in this runtime; add one with: fairlead git-token add ${host}`;
  return new GitAccessError('git_token_missing', message, { details: { host } });
}

const identityOf = ({ name, email }: Actor): Identity => ({ name, email: email ?? `${name}@fairlead.invalid` });

export function hostOf(repoURL: string): string {
  try {
    const { origin, protocol } = parseRepositoryUrl(repoURL);
    if (protocol === 'http' || protocol === 'https') return new URL(origin).host.toLowerCase();
  } catch (error) {
    if (!(error instanceof InvalidRepositoryUrlError)) throw error;
    throw new GitAccessError('invalid', `repoURL: ${error.message}`, { details: { field: 'repoURL' } });
  }
  const shown = redactUrl(repoURL);
  const message = `repoURL: ${shown} is reached by ssh; commits of people go by http(s), use the https:// address`;
  throw new GitAccessError('invalid', message, { details: { field: 'repoURL' } });
}

function commitUrl(token: UsableToken, repoURL: string, sha: string): string | undefined {
  return providerOf(token)?.commitUrl(fullNameOf(token, repoURL), sha);
}

const textOf = (content: Buffer | undefined) => content?.toString('utf8');

/** What git and the remote said, under the code that tells what to do. */
function gitFailure(error: unknown, repoURL: string): unknown {
  if (error instanceof AuthenticationRefusedError) {
    const host = hostOf(repoURL);
    const message = `${host} refuses your Git token for ${redactUrl(repoURL)}: it ended, was revoked, or may not do this; add a new one with: fairlead git-token add ${host}`;
    return new GitAccessError('git_token_refused', message, { cause: error, details: { host, reason: error.message } });
  }
  if (error instanceof PushRefusedError) {
    const host = hostOf(repoURL);
    const details = { host, reason: error.message };
    return new GitAccessError('git_token_refused', `${error.message}; ask for the right to push there`, { details });
  }
  if (error instanceof ConflictError) {
    const [conflict] = error.conflicts;
    const { path, base, theirs, ours } = conflict ?? {};
    const texts = { base: textOf(base), theirs: textOf(theirs), yours: textOf(ours) };
    return new GitAccessError('conflict', error.message, { details: { path, head: error.head, ...texts } });
  }
  if (error instanceof RevisionNotFoundError)
    return new GitAccessError('invalid', `revision: ${error.message}`, { cause: error });
  if (error instanceof InvalidChangeError) return new GitAccessError('invalid', error.message);
  if (error instanceof BranchBusyError || error instanceof RepositoryUnreachableError) {
    return new GitAccessError('unavailable', error.message, { cause: error });
  }
  return error;
}
