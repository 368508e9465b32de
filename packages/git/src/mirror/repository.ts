// One mirrored repository, read by object id. What an id names never changes, so trees are cached without expiry.
import { type BoundedCache, exec } from '@fairlead/base';
import { GitObjectError, MissingObjectError } from './errors.ts';
import { gitEnvironment } from './git-command.ts';
import { type CommitMetadata, parseCommit, parseTree, type TreeEntry } from './objects.ts';
import type { ReaderPool } from './reader-pool.ts';

interface RepositoryParts {
  readonly url: string;
  readonly gitDir: string;
  readonly readers: ReaderPool;
  readonly trees: BoundedCache<string, readonly TreeEntry[]>;
  readonly commits: BoundedCache<string, CommitMetadata>;
  readonly maxBlobBytes: number;
}

interface LogOptions {
  readonly paths?: readonly string[];
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

const maxTreeBytes = 16 * 1024 * 1024;
const maxCommitBytes = 1024 * 1024;

export class Repository {
  readonly url: string;
  readonly gitDir: string;
  readonly #parts: RepositoryParts;

  constructor(parts: RepositoryParts) {
    this.url = parts.url;
    this.gitDir = parts.gitDir;
    this.#parts = parts;
  }

  async hasCommit(id: string): Promise<boolean> {
    const object = await this.#parts.readers.read(this.gitDir, id, maxCommitBytes);
    return object?.type === 'commit';
  }

  /** The commit a mirrored branch points at, as of the last fetch. */
  async commitOfBranch(name: string): Promise<string | undefined> {
    const object = await this.#parts.readers.readRef(this.gitDir, `refs/heads/${name}`, maxCommitBytes);
    return object?.type === 'commit' ? object.id : undefined;
  }

  async commitMetadata(id: string): Promise<CommitMetadata> {
    const known = this.#parts.commits.get(id);
    if (known) return known;
    const commit = parseCommit(id, await this.#read(id, 'commit', maxCommitBytes));
    this.#parts.commits.set(id, commit);
    return commit;
  }

  /** The entries of the tree with this id. */
  async readTree(id: string): Promise<readonly TreeEntry[]> {
    const known = this.#parts.trees.get(id);
    if (known) return known;
    const content = await this.#read(id, 'tree', maxTreeBytes);
    const entries = parseTree(content);
    this.#parts.trees.set(id, entries, content.length * 3);
    return entries;
  }

  readBlob(id: string): Promise<Buffer> {
    return this.#read(id, 'blob', this.#parts.maxBlobBytes);
  }

  /** The entries of a folder at a commit; undefined when the commit has no such folder. '' is the root. */
  async tree(commit: string, path: string): Promise<readonly TreeEntry[] | undefined> {
    let entries = await this.readTree((await this.commitMetadata(commit)).tree);
    for (const name of path.split('/').filter((part) => part !== '' && part !== '.')) {
      const next = entries.find((entry) => entry.name === name && entry.kind === 'tree');
      if (!next) return undefined;
      entries = await this.readTree(next.id);
    }
    return entries;
  }

  /** Ids of the commits reachable from `commit` that touched one of the paths (all when none is given), newest first. */
  async log(commit: string, { paths = [], limit = 100, signal }: LogOptions = {}): Promise<string[]> {
    const args = [
      '--git-dir',
      this.gitDir,
      'log',
      '--format=%H',
      `--max-count=${limit}`,
      '--end-of-options',
      commit,
      '--',
    ];
    const literal = paths.map((path) => `:(literal,top)${path}`);
    const { stdout } = await exec('git', [...args, ...literal], { env: gitEnvironment(), signal, timeoutMs: 60_000 });
    return lines(stdout);
  }

  /** Names of the tags that point at the commit. */
  async tagsAt(commit: string, { signal }: { signal?: AbortSignal } = {}): Promise<string[]> {
    const args = ['--git-dir', this.gitDir, 'for-each-ref', '--format=%(refname:strip=2)', `--points-at=${commit}`];
    const { stdout } = await exec('git', [...args, 'refs/tags'], { env: gitEnvironment(), signal, timeoutMs: 30_000 });
    return lines(stdout);
  }

  async #read(id: string, type: 'blob' | 'tree' | 'commit', maxBytes: number): Promise<Buffer> {
    const object = await this.#parts.readers.read(this.gitDir, id, maxBytes);
    if (!object) throw new MissingObjectError(this.url, id);
    if (object.type !== type) throw new GitObjectError(`object ${id} is a ${object.type}, not a ${type}`);
    return object.content;
  }
}

const lines = (output: Buffer) =>
  output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
