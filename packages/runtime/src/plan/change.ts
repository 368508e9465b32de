// Which two commits a change lies between, and which sources would see it.
import type { ApplicationSource } from '@fairlead/contracts';
import { isSameRepository, mergeBase, ProviderNotFoundError, type Repository, repositoryNameOf } from '@fairlead/git';
import { type Actor, type GitAccess, GitAccessError } from '../git-access/index.ts';

export interface Change {
  readonly repository: Repository;
  readonly onto: string;
  /** Whether `onto` is what `HEAD` means. */
  readonly isDefault: boolean;
  readonly from: string;
  readonly to: string;
}

export interface ChangeWish {
  readonly repoURL: string;
  readonly to?: string | undefined;
  readonly pullRequest?: number | undefined;
  readonly onto?: string | undefined;
}

interface Call {
  readonly signal: AbortSignal;
}

/** For a commit that the branch has already: what that commit changed. Otherwise: all since it left the branch. */
export async function locateChange(git: GitAccess, actor: Actor, wish: ChangeWish, call: Call): Promise<Change> {
  const { repoURL } = wish;
  const { revision, into } = await revisionOf(git, actor, wish, call);
  const { defaultBranch } = await git.branches(actor, repoURL, call);
  const onto = wish.onto ?? into ?? defaultBranch;
  if (onto === undefined) throw new GitAccessError('invalid', 'onto: the repository has no default branch; name one');
  const branch = await git.read(actor, { repoURL, revision: onto }, call);
  const { repository, commit: to } = await git.read(actor, { repoURL, revision }, call);
  const base = await mergeBase(repository, [branch.commit, to], call);
  const from = base === to ? (await repository.commitMetadata(to)).parents[0] : base;
  if (from === undefined) {
    const reason = base === to ? 'is the first commit of the repository' : `shares no history with ${onto}`;
    throw new GitAccessError('invalid', `to: ${revision} ${reason}, so there is nothing to compare it with`);
  }
  return { repository, onto, isDefault: onto === defaultBranch, from, to };
}

async function revisionOf(
  git: GitAccess,
  actor: Actor,
  { repoURL, to, pullRequest }: ChangeWish,
  call: Call,
): Promise<{ revision: string; into?: string }> {
  if ((to === undefined) === (pullRequest === undefined)) {
    throw new GitAccessError('invalid', 'to: give either a branch, tag or commit, or the number of a pull request');
  }
  if (pullRequest === undefined) return { revision: to ?? '' };
  const provider = await git.provider(actor, new URL(repoURL).host.toLowerCase(), call);
  const name = repositoryNameOf(provider.kind, repoURL);
  try {
    const { headCommit, into } = await provider.getPullRequest(name, pullRequest, call);
    return { revision: headCommit, into };
  } catch (error) {
    if (!(error instanceof ProviderNotFoundError)) throw error;
    const message = `pullRequest: there is no pull request ${pullRequest} in ${name}`;
    throw new GitAccessError('not_found', message, { cause: error, details: { field: 'pullRequest' } });
  }
}

/** A source that would be read anew when the branch moves. */
export function follows(source: ApplicationSource, repoURL: string, { onto, isDefault }: Change): boolean {
  if (source.chart !== undefined || !isSameRepository(source.repoURL, repoURL)) return false;
  const revision = (source.targetRevision ?? '').replace(/^refs\/heads\//, '');
  return revision === onto || (isDefault && (revision === '' || revision === 'HEAD'));
}
