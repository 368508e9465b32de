// Where offline commands take files from: a folder of the disk, or a repository at a revision. Mirrors live in a
// temporary folder that goes with the command; nothing else is written.
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { exec, FairleadError } from '@fairlead/base';
import { GitMirrors, redactUrl } from '@fairlead/git';
import { AllowedRemotes, FolderTree, GitTree, type RemoteTrees, type SourceTree } from '@fairlead/render';

export interface Located {
  readonly tree: SourceTree;
  readonly path: string;
}

/** A folder, seen from the root of the repository it is in: overlays and charts may name what stands beside them. */
export function locateFolder(folder: string): Located & { readonly root: string } {
  const at = resolve(folder);
  if (!statSync(at, { throwIfNoEntry: false })?.isDirectory())
    throw new FairleadError('bad_usage', `${folder}: there is no such folder or file`);
  const root = repositoryRoot(at);
  return { tree: new FolderTree(root), path: relative(root, at), root };
}

function repositoryRoot(at: string): string {
  for (let folder = at; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return at;
  }
}

export class OfflineRepositories {
  readonly #mirrors: GitMirrors;
  readonly #dir: string;

  private constructor(dir: string) {
    this.#dir = dir;
    this.#mirrors = new GitMirrors({ dir, allowFile: true });
  }

  /** Runs `work` and takes away whatever was fetched for it, however it ends. */
  static async use<T>(work: (repositories: OfflineRepositories) => Promise<T>): Promise<T> {
    const repositories = new OfflineRepositories(await mkdtemp(join(tmpdir(), 'fairlead-')));
    try {
      return await work(repositories);
    } finally {
      repositories.#mirrors.stop();
      await rm(repositories.#dir, { recursive: true, force: true });
    }
  }

  /** Those that kustomizations may build on; without credentials. */
  remotes(allowed: readonly string[]): RemoteTrees {
    return new AllowedRemotes({ allowed, mirrors: this.#mirrors, credentialsFor: () => undefined });
  }

  /** `repository`: a URL, or a path of this machine, where revisions such as `HEAD~1` are understood too. */
  async tree(repository: string, revision: string, flag = '--revision'): Promise<SourceTree> {
    const isLocal = /^(?:\.{0,2}\/|\.{1,2}$|file:\/\/)/.test(repository);
    const url = isLocal ? resolve(repository.replace(/^file:\/\//, '')) : repository;
    const wanted = isLocal ? await localCommit(url, revision, flag) : revision;
    try {
      const commit = await this.#mirrors.resolve(url, wanted);
      return GitTree.ofCommit(await this.#mirrors.repository(url), commit);
    } catch (error) {
      throw told(error, { repository, revision, flag });
    }
  }
}

interface Wanted {
  readonly repository: string;
  readonly revision: string;
  readonly flag: string;
}

/** By the flag that was given; offline commands know no credentials. */
function told(error: unknown, { repository, revision, flag }: Wanted): unknown {
  const { code, message } = error instanceof FairleadError ? error : { code: '', message: '' };
  const repo = `--repo ${redactUrl(repository)}`;
  if (code === 'git_authentication') {
    const remedy = 'this command has no credentials: clone it and name the folder';
    return new FairleadError(
      'git_token_missing',
      `${repo}: its server asks for credentials, or has no such repository; ${remedy}`,
    );
  }
  if (code === 'git_unreachable') return new FairleadError('unavailable', `${repo}: ${message}`);
  if (code === 'git_revision_not_found') {
    return new FairleadError(
      'bad_usage',
      `${flag} ${revision}: ${redactUrl(repository)} has none such; give a branch, tag or commit`,
    );
  }
  return error;
}

async function localCommit(folder: string, revision: string, flag: string): Promise<string> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new FairleadError(
      'bad_usage',
      `--repo ${folder}: there is no such folder; name a git repository, or its URL`,
    );
  const args = ['-C', folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const answer = await exec('git', args, { okExitCodes: [0, 1, 128], timeoutMs: 30_000 });
  const commit = answer.stdout.toString('utf8').trim();
  if (answer.exitCode !== 0 || commit === '')
    throw new FairleadError(
      'bad_usage',
      `${flag} ${revision}: ${folder} has no such commit; give a branch, tag or commit of a git repository`,
    );
  return commit;
}
