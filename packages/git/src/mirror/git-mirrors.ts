// Bare, complete mirrors of remote repositories, one per URL, under one folder.
//
// Promises: a revision is resolved by asking the remote for its refs (no fetch when the commit is already here);
// several callers that ask for the same repository at once share git children, and none is given an answer that was
// begun before it asked; at most `maxParallel` children speak to remotes at a time, the rest wait their turn; nothing is
// ever checked out and nothing of a repository is executed; what one credential was answered is never taken as an answer
// to another; all mirrors together keep within a bound on disk.
// Not promised: refs other than branches and tags are not mirrored; a commit that only they reach is asked for by id.
import {
  abortable,
  BoundedCache,
  type Clock,
  ExecError,
  errorMessage,
  exec,
  type Logger,
  silentLogger,
  systemClock,
} from '@fairlead/base';
import { redactUrl } from '../url/index.ts';
import { RevisionNotFoundError, remoteError } from './errors.ts';
import { gitEnvironment } from './git-command.ts';
import { KeyedTurns } from './keyed-turns.ts';
import { initMirror, MirrorFolder } from './mirror-folder.ts';
import type { CommitMetadata, TreeEntry } from './objects.ts';
import { type PushOutcome, PushRefusedError, parsePushOutput } from './push.ts';
import { ReaderPool } from './reader-pool.ts';
import { credentialsKey, type GitCredentials, type RemoteTrust } from './remote-access.ts';
import { RemoteGit } from './remote-git.ts';
import { commitOfRef, isFullId, isShortId, parseRemoteRefs, type RemoteRefs } from './remote-refs.ts';
import { Repository } from './repository.ts';
import { SharedWork } from './shared-work.ts';
import { isVersionRange } from './version-range.ts';

interface GitMirrorsOptions {
  readonly dir: string;
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Local paths as repositories: for tests and single-user machines. */
  readonly allowFile?: boolean;
  readonly maxParallel?: number;
  readonly maxReaders?: number;
  readonly maxBlobBytes?: number;
  readonly treeCacheBytes?: number;
  readonly remoteTimeoutMs?: number;
  /** What all mirrors may take on disk; default 20 GiB. */
  readonly maxDiskBytes?: number;
  /** A mirror used later than this ago is never removed for others; default 10 minutes. */
  readonly idleMs?: number;
  /** Asked before each call to a remote. */
  readonly trust?: () => RemoteTrust;
}

export interface RemoteOptions {
  readonly credentials?: GitCredentials | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ResolveOptions extends RemoteOptions {
  /**
   * Monotonic time: what was read from the remote at this time or later is fresh enough. Default: now, so that the
   * remote is asked.
   */
  readonly asOfMs?: number | undefined;
  /** News are expected (a webhook said so): fetch at once instead of asking for the refs first. */
  readonly fetchFirst?: boolean;
}

const maintenanceEvery = 100;
/**
 * What a fetch brings appears as one pack, all or nothing. Git would unpack a small fetch object by object, the commit
 * first: a reader would find the commit and not its tree, and a killed fetch would leave it so for good.
 */
const wholePacks = ['-c', 'fetch.unpackLimit=1'];

/** Somebody may delete a mirror at any time; it is noticed this late. */
const seenForMs = 1000;

export class GitMirrors {
  readonly #options: GitMirrorsOptions;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #readers: ReaderPool;
  readonly #trees: BoundedCache<string, readonly TreeEntry[]>;
  readonly #commits = new BoundedCache<string, CommitMetadata>(1000);
  /** When a mirror's folder was last found in its place. */
  readonly #seen = new BoundedCache<string, number>(10_000);
  readonly #remotes: RemoteGit;
  readonly #folder: MirrorFolder;
  readonly #work: SharedWork;
  readonly #refs = new BoundedCache<string, { refs: RemoteRefs; startedMs: number }>(1000);
  /** By mirror and credential. */
  readonly #fetches = new BoundedCache<string, { count: number; startedMs: number }>(10_000);
  #fetchCount = 0;
  readonly #writers = new KeyedTurns();

  constructor(options: GitMirrorsOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
    this.#clock = options.clock ?? systemClock;
    this.#readers = new ReaderPool({ maxReaders: options.maxReaders ?? 8, clock: this.#clock });
    this.#trees = new BoundedCache(options.treeCacheBytes ?? 64 * 1024 * 1024);
    this.#remotes = new RemoteGit({
      allowFile: options.allowFile ?? false,
      maxParallel: options.maxParallel ?? 4,
      timeoutMs: options.remoteTimeoutMs ?? 120_000,
      trust: options.trust ?? (() => ({})),
    });
    this.#folder = new MirrorFolder({
      dir: options.dir,
      maxBytes: options.maxDiskBytes ?? 20 * 1024 ** 3,
      idleMs: options.idleMs ?? 600_000,
      clock: this.#clock,
      log: this.#log,
      release: (gitDir) => {
        this.#seen.delete(gitDir);
        return !this.#writers.isBusy(gitDir) && this.#readers.releaseIdle(gitDir);
      },
    });
    this.#work = new SharedWork(this.#clock);
  }

  /** Numbers for metrics. */
  get counts() {
    return {
      diskBytes: this.#folder.sizeBytes,
      mirrorsRemoved: this.#folder.counts.removed,
      diskOverflows: this.#folder.counts.overflows,
      readers: this.#readers.count,
      readersStarted: this.#readers.started,
      treeCacheBytes: this.#trees.size,
      waiting: this.#remotes.waiting,
      fetches: this.#fetchCount,
    };
  }

  /** The 40-hex commit that `revision` (branch, tag, range of versions, HEAD, full or short id) means now, present in the mirror. */
  async resolve(url: string, revision: string, options: ResolveOptions = {}): Promise<string> {
    const repository = await this.repository(url);
    if (isFullId(revision)) {
      await this.#ensureCommit(url, repository, { commit: revision, ...options });
      return revision;
    }
    if (options.fetchFirst) {
      const fetched = await this.#resolveByFetch(url, repository, { revision, ...options });
      if (fetched) return fetched;
    }
    const remote = await this.#remoteRefs(url, options);
    const commit = commitOfRef(remote, revision) ?? (await this.#expandShortId(url, revision, options));
    if (!commit) throw new RevisionNotFoundError(url, revision);
    await this.#ensureCommit(url, repository, { commit, ...options });
    return commit;
  }

  /**
   * Whether `revision` still means `commit`, which an earlier `resolve` has given. Costs no more than asking for the refs;
   * nothing is fetched, and the mirror is not looked into.
   */
  async isStillAt(
    url: string,
    { revision, commit }: { readonly revision: string; readonly commit: string },
    options: ResolveOptions = {},
  ): Promise<boolean> {
    if (isFullId(revision)) return revision === commit;
    this.#folder.used(this.#folder.gitDirOf(url, this.#remotes.parse(url).protocol));
    return commitOfRef(await this.#remoteRefs(url, options), revision) === commit;
  }

  /** The branch that the remote's HEAD names; undefined when it names none (an empty repository). */
  async defaultBranch(url: string, options: RemoteOptions = {}): Promise<string | undefined> {
    return (await this.#remoteRefs(url, options)).head?.replace(/^refs\/heads\//, '');
  }

  /** The remote's branches, by name. */
  async branches(url: string, options: RemoteOptions = {}): Promise<string[]> {
    const { refs } = await this.#remoteRefs(url, options);
    const names = [...refs.keys()].filter((ref) => ref.startsWith('refs/heads/'));
    return names.map((ref) => ref.slice('refs/heads/'.length)).sort();
  }

  /** Brings the mirror up to date with every branch and tag of the remote. */
  async fetch(url: string, options: RemoteOptions = {}): Promise<Repository> {
    const repository = await this.repository(url);
    await this.#fetchAll(url, repository, options);
    return repository;
  }

  /**
   * Moves the remote's branch from `expected` (undefined: it must not exist) to a commit that the mirror holds, or leaves
   * it: what anybody else pushed is never overwritten. The mirror's own branch follows with the next fetch.
   */
  async push(
    url: string,
    { branch, commit, expected }: { branch: string; commit: string; expected: string | undefined },
    { credentials, signal }: RemoteOptions = {},
  ): Promise<PushOutcome> {
    const { gitDir } = await this.repository(url);
    const ref = `refs/heads/${branch}`;
    const lease = `--force-with-lease=${ref}:${expected ?? ''}`;
    const args = ['--git-dir', gitDir, 'push', '--porcelain', '--no-verify', lease, '--end-of-options'];
    const options = { signal, okExitCodes: [0, 1] };
    const push = { args: (address: string) => [...args, address, `${commit}:${ref}`], ...options };
    const { stdout, stderr } = await this.#remotes.speak(url, credentials, push);
    const told = parsePushOutput(stdout.toString('utf8'));
    if (!told) throw remoteError(url, new ExecError('git push failed', { stderr }), true);
    if ('refused' in told) throw new PushRefusedError(url, branch, told.refused);
    return told.outcome;
  }

  /** The mirror as it is now, made if it is not there yet; no remote is asked. */
  async repository(url: string): Promise<Repository> {
    const gitDir = this.#folder.gitDirOf(url, this.#remotes.parse(url).protocol);
    this.#folder.used(gitDir);
    const nowMs = this.#clock.monotonic();
    if (nowMs - (this.#seen.get(gitDir) ?? Number.NEGATIVE_INFINITY) >= seenForMs) {
      await this.#shared(`init ${gitDir}`, { sinceMs: 0 }, () => initMirror(gitDir));
      this.#seen.set(gitDir, nowMs);
    }
    return new Repository({
      url: redactUrl(url),
      gitDir,
      readers: this.#readers,
      trees: this.#trees,
      commits: this.#commits,
      maxBlobBytes: this.#options.maxBlobBytes ?? 32 * 1024 * 1024,
    });
  }

  stop(): void {
    this.#remotes.stop();
    this.#readers.stop();
  }

  async #remoteRefs(url: string, { asOfMs, credentials, signal }: ResolveOptions): Promise<RemoteRefs> {
    const sinceMs = asOfMs ?? this.#clock.monotonic();
    const key = `${url} ${credentialsKey(credentials)}`;
    const known = this.#refs.get(key);
    if (known && known.startedMs >= sinceMs) return known.refs;
    const ask = async (startedMs: number) => {
      const args = ['ls-remote', '--symref', '--end-of-options'];
      const { stdout } = await this.#remotes.speak(url, credentials, { args: (address) => [...args, address] });
      const refs = parseRemoteRefs(stdout.toString('utf8'));
      this.#refs.set(key, { refs, startedMs });
      return refs;
    };
    return this.#shared(`refs ${key}`, { sinceMs, signal }, ask);
  }

  /** After a fetch the mirror's own refs tell; undefined when they cannot (no such branch, HEAD of an unknown remote). */
  async #resolveByFetch(
    url: string,
    repository: Repository,
    wanted: ResolveOptions & { revision: string },
  ): Promise<string | undefined> {
    const isHead = wanted.revision === '' || wanted.revision === 'HEAD';
    const branch = isHead
      ? this.#refs.get(`${url} ${credentialsKey(wanted.credentials)}`)?.refs.head?.replace(/^refs\/heads\//, '')
      : wanted.revision;
    if (!branch || isVersionRange(branch)) return undefined; // which tag a range means only the refs tell
    await this.#fetchAll(url, repository, wanted);
    return repository.commitOfBranch(branch);
  }

  async #ensureCommit(url: string, repository: Repository, wanted: RemoteOptions & { commit: string }): Promise<void> {
    const { commit, credentials } = wanted;
    const asOfMs = this.#clock.monotonic(); // any fetch that begins from here on brings it, if the remote has it
    if (await repository.hasCommit(commit)) return;
    await this.#work.join(`fetch ${repository.gitDir} ${credentialsKey(credentials)}`);
    if (await repository.hasCommit(commit)) return;
    await this.#fetchAll(url, repository, { credentials, signal: wanted.signal, asOfMs });
    if (await repository.hasCommit(commit)) return;
    // Reached by no branch or tag: some servers give it by id.
    await this.#fetch(url, repository, { credentials, refspecs: [commit] }).catch((error: unknown) => {
      const fields = { repository: repository.url, commit, error: errorMessage(error) };
      this.#log.debug(fields, 'the remote does not give the commit by id');
    });
    if (!(await repository.hasCommit(commit))) throw new RevisionNotFoundError(url, commit);
  }

  async #expandShortId(url: string, revision: string, options: RemoteOptions): Promise<string | undefined> {
    if (!isShortId(revision)) return undefined;
    const { gitDir } = await this.fetch(url, options);
    const args = ['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const answer = await exec('git', args, { env: gitEnvironment(), okExitCodes: [0, 1, 128], timeoutMs: 30_000 });
    return answer.exitCode === 0 ? answer.stdout.toString('utf8').trim() : undefined;
  }

  #fetchAll(url: string, repository: Repository, options: ResolveOptions): Promise<void> {
    const { credentials, signal } = options;
    const sinceMs = options.asOfMs ?? this.#clock.monotonic();
    const key = `${repository.gitDir} ${credentialsKey(credentials)}`;
    if ((this.#fetches.get(key)?.startedMs ?? -1) >= sinceMs) return Promise.resolve();
    const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    const fetch = async (startedMs: number) => {
      await this.#fetch(url, repository, { credentials, refspecs, prune: true });
      this.#fetchCount++;
      const count = (this.#fetches.get(key)?.count ?? 0) + 1;
      this.#fetches.set(key, { count, startedMs });
      if (count % maintenanceEvery === 0) await this.#maintain(repository);
      await this.#folder.grew(repository.gitDir);
    };
    return this.#shared(`fetch ${key}`, { sinceMs, signal }, fetch);
  }

  async #fetch(
    url: string,
    repository: Repository,
    wanted: { credentials: GitCredentials | undefined; refspecs: readonly string[]; prune?: boolean },
  ): Promise<void> {
    const { gitDir } = repository;
    const prune = wanted.prune ? ['--prune'] : [];
    const args = [
      ...wholePacks,
      '--git-dir',
      gitDir,
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      ...prune,
    ];
    const command = { args: (address: string) => [...args, '--end-of-options', address, ...wanted.refspecs] };
    // Two fetches of different callers into one mirror would stand in each other's way at its refs.
    await this.#writers.run(gitDir, () => this.#remotes.speak(url, wanted.credentials, command));
  }

  /** Packs what many small fetches left behind; readers open packs anew by themselves. */
  async #maintain({ gitDir, url }: Repository): Promise<void> {
    const args = ['--git-dir', gitDir, '-c', 'gc.auto=2000', 'gc', '--auto', '--quiet'];
    await exec('git', args, { env: gitEnvironment(), timeoutMs: 600_000 }).catch((error: unknown) =>
      this.#log.warn({ repository: url, error: errorMessage(error) }, 'a mirror could not be repacked'),
    );
  }

  /** A caller may stop waiting; the work goes on for the others. */
  #shared<T>(
    key: string,
    { sinceMs, signal }: { sinceMs: number; signal?: AbortSignal | undefined },
    work: (startedMs: number) => Promise<T>,
  ): Promise<T> {
    const promise = this.#work.run(key, sinceMs, work);
    return signal ? abortable(promise, signal) : promise;
  }
}
