// Commits made in a bare mirror and pushed: no checkout, no working tree.
//
// Promises: one call makes at most one commit, and exactly one when it says `committed`; the branch is moved by compare
// and swap, so nothing that anybody else pushed is lost; when the branch moved meanwhile the change is made again on the
// new head, if none of its paths changed there, and is a ConflictError otherwise; a call that changes nothing makes no
// commit and says so. Author and committer are the caller's words: who may speak for whom is decided above.
// Not promised: merging inside a file, signatures, submodules, links.
import { backoffDelay, type Clock, sleep, systemClock } from '@fairlead/base';
import {
  type GitMirrors,
  KeyedTurns,
  type RemoteOptions,
  type Repository,
  RepositoryUnreachableError,
  RevisionNotFoundError,
} from '../mirror/index.ts';
import { BranchBusyError, ConflictError, InvalidChangeError } from './errors.ts';
import { assertChanges, conflictsBetween, editsOf, type FileChange, storeChanges } from './file-changes.ts';
import { assertBranchName, assertIdentity, assertMessage, type Identity } from './names.ts';
import { isAncestor, type TreeEdits, writeCommit, writeTree } from './object-writer.ts';
import { planRevert } from './revert.ts';

interface CommitRequest {
  readonly url: string;
  readonly branch: string;
  /** The acting user. */
  readonly author: Identity;
  /** Default: the author. */
  readonly committer?: Identity | undefined;
}

export interface CommitFilesRequest extends CommitRequest {
  readonly changes: readonly FileChange[];
  readonly message: string;
  /** The commit that the caller looked at: a path that changed since then is a conflict. Default: the branch as it is. */
  readonly expectedBase?: string | undefined;
  /** Where a branch that is not there yet begins. Default: the remote's HEAD; nothing in an empty repository. */
  readonly startFrom?: string | undefined;
}

export interface RevertCommitRequest extends CommitRequest {
  /** Full id; it must be part of the branch. A merge is reverted to its first parent. */
  readonly commit: string;
  /** Default: what `git revert` writes. */
  readonly message?: string | undefined;
}

export type CommitOutcome =
  | { readonly committed: true; readonly branch: string; readonly commit: string; readonly paths: readonly string[] }
  /** The branch holds already what was asked for; `commit` is its head, absent when there is no branch. */
  | { readonly committed: false; readonly branch: string; readonly commit: string | undefined };

/** Where a commit is put: `head` is the branch (undefined: not there), `parent` what the commit is made on. */
interface Place {
  readonly head: string | undefined;
  readonly parent: string | undefined;
}

interface Planned {
  readonly edits: TreeEdits;
  readonly message: string;
}

type Plan = (place: Place) => Promise<Planned>;

interface GitCommitsOptions {
  readonly mirrors: GitMirrors;
  readonly clock?: Clock;
  /** Pushes per call before it gives up on a branch that keeps moving. */
  readonly maxAttempts?: number;
}

export class GitCommits {
  readonly #mirrors: GitMirrors;
  readonly #clock: Clock;
  readonly #maxAttempts: number;
  /** Commits to one branch wait for each other here instead of racing at the remote. */
  readonly #branches = new KeyedTurns();
  readonly counts = { commits: 0, unchanged: 0, retries: 0, conflicts: 0 };

  constructor({ mirrors, clock = systemClock, maxAttempts = 5 }: GitCommitsOptions) {
    this.#mirrors = mirrors;
    this.#clock = clock;
    this.#maxAttempts = maxAttempts;
  }

  async commitFiles(request: CommitFilesRequest, options: RemoteOptions = {}): Promise<CommitOutcome> {
    const { url, branch, changes, message, expectedBase } = request;
    assertChanges(changes);
    assertMessage(message);
    return this.#inTurn(request, options, async (repository) => {
      const stored = await storeChanges(repository, changes, options);
      if (expectedBase !== undefined) await this.#mirrors.resolve(url, expectedBase, options);
      let base = expectedBase;
      let isFirst = expectedBase === undefined;
      const plan: Plan = async ({ parent }) => {
        if (isFirst) base = parent;
        isFirst = false;
        const conflicts = await conflictsBetween(repository, { base, head: parent }, stored);
        if (conflicts.length > 0) throw this.#conflict({ repository, branch, head: parent ?? '' }, conflicts);
        return { edits: await editsOf(repository, parent, stored), message };
      };
      return this.#commit(repository, { request, startFrom: request.startFrom ?? 'HEAD', plan }, options);
    });
  }

  async revertCommit(request: RevertCommitRequest, options: RemoteOptions = {}): Promise<CommitOutcome> {
    const { url, branch, commit } = request;
    if (!/^[0-9a-f]{40}$/.test(commit))
      throw new InvalidChangeError(`${JSON.stringify(commit)} is not a full commit id`);
    if (request.message !== undefined) assertMessage(request.message);
    return this.#inTurn(request, options, async (repository) => {
      const plan: Plan = async ({ head }) => {
        if (head === undefined) throw new RevisionNotFoundError(url, branch);
        const planned = await planRevert(repository, { head, commit }, options);
        if (planned.conflicts.length > 0) throw this.#conflict({ repository, branch, head }, planned.conflicts);
        return { edits: planned.edits, message: request.message ?? planned.message };
      };
      return this.#commit(repository, { request, startFrom: undefined, plan }, options);
    });
  }

  #conflict(
    { repository, branch, head }: { repository: Repository; branch: string; head: string },
    conflicts: ConflictError['conflicts'],
  ): ConflictError {
    this.counts.conflicts++;
    return new ConflictError({ url: repository.url, branch, head }, conflicts);
  }

  async #inTurn<T>(
    { url, branch, author, committer }: CommitRequest,
    { signal }: RemoteOptions,
    work: (repository: Repository) => Promise<T>,
  ): Promise<T> {
    assertBranchName(branch);
    assertIdentity('author', author);
    if (committer) assertIdentity('committer', committer);
    const repository = await this.#mirrors.repository(url);
    return this.#branches.run(`${repository.gitDir} ${branch}`, () => work(repository), signal);
  }

  async #commit(
    repository: Repository,
    { request, startFrom, plan }: { request: CommitRequest; startFrom: string | undefined; plan: Plan },
    options: RemoteOptions,
  ): Promise<CommitOutcome> {
    const { url, branch, author, committer = author } = request;
    let wasThere = false;
    for (let attempt = 0; attempt < this.#maxAttempts; attempt++) {
      if (attempt > 0) await this.#pause(attempt, options);
      const place = await this.#place({ url, branch, startFrom }, repository, options);
      if (wasThere && place.head === undefined) throw new RevisionNotFoundError(url, branch);
      wasThere ||= place.head !== undefined;
      const { edits, message } = await plan(place);
      const tree = await this.#treeOf(repository, place, { edits, options });
      if (tree === undefined) {
        this.counts.unchanged++;
        return { committed: false, branch, commit: place.head };
      }
      const text = { message, author, committer, atMs: this.#clock.now() };
      const commit = await writeCommit(repository, { tree, parent: place.parent, text }, options);
      if (await this.#push(repository, { url, branch, commit, expected: place.head }, options)) {
        this.counts.commits++;
        return { committed: true, branch, commit, paths: [...edits.keys()] };
      }
    }
    throw new BranchBusyError(repository.url, branch, this.#maxAttempts);
  }

  async #pause(attempt: number, { signal }: RemoteOptions): Promise<void> {
    this.counts.retries++;
    await sleep(backoffDelay(attempt, { baseMs: 50, maxMs: 1000 }), { signal, clock: this.#clock });
  }

  async #place(
    { url, branch, startFrom }: { url: string; branch: string; startFrom: string | undefined },
    repository: Repository,
    options: RemoteOptions,
  ): Promise<Place> {
    await this.#mirrors.fetch(url, options);
    const head = await repository.commitOfBranch(branch);
    if (head !== undefined || startFrom === undefined) return { head, parent: head };
    const parent = await this.#mirrors.resolve(url, startFrom, options).catch((error: unknown) => {
      // A repository without commits has no HEAD.
      if (startFrom === 'HEAD' && error instanceof RevisionNotFoundError) return undefined;
      throw error;
    });
    return { head, parent };
  }

  /** Undefined: the edits change nothing. */
  async #treeOf(
    repository: Repository,
    { parent }: Place,
    { edits, options }: { edits: TreeEdits; options: RemoteOptions },
  ): Promise<string | undefined> {
    if (edits.size === 0) return undefined;
    const tree = await writeTree(repository, { base: parent, edits }, options);
    const before = parent === undefined ? undefined : (await repository.commitMetadata(parent)).tree;
    return tree === before ? undefined : tree;
  }

  /** False: the branch moved. An answer that was lost is looked up, so that no change is committed twice. */
  async #push(
    repository: Repository,
    wanted: { url: string; branch: string; commit: string; expected: string | undefined },
    options: RemoteOptions,
  ): Promise<boolean> {
    try {
      return (await this.#mirrors.push(wanted.url, wanted, options)) === 'pushed';
    } catch (error) {
      if (!(error instanceof RepositoryUnreachableError)) throw error;
      const isFetched = await this.#mirrors.fetch(wanted.url, options).then(
        () => true,
        () => false, // away altogether: the push's own error says it
      );
      const head = isFetched ? await repository.commitOfBranch(wanted.branch) : undefined;
      if (head && (await isAncestor(repository, { ancestor: wanted.commit, of: head }, options))) return true;
      throw error;
    }
  }
}
