// Blobs, trees and commits written into a bare mirror: no checkout, no filters, no hooks, an index of its own per call.
// Objects that no push made part of a branch are left to git's own pruning.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exec, newId } from '@fairlead/base';
import { gitEnvironment, type Repository } from '../mirror/index.ts';
import type { Identity } from './names.ts';
import type { FileVersion } from './tree-difference.ts';

/** Path → what it shall be; undefined removes it. */
export type TreeEdits = ReadonlyMap<string, FileVersion | undefined>;

interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
}

const noObject = '0'.repeat(40);
const timeoutMs = 60_000;
const idOf = (stdout: Buffer) => stdout.toString('utf8').trim();

export async function writeBlob(
  { gitDir }: Repository,
  content: string | Uint8Array,
  { signal }: WriteOptions,
): Promise<string> {
  const args = ['--git-dir', gitDir, 'hash-object', '-w', '--stdin', '--no-filters'];
  return idOf((await exec('git', args, { env: gitEnvironment(), input: content, signal, timeoutMs })).stdout);
}

/** The tree that `base` (a commit; undefined: nothing) becomes by the edits. */
export async function writeTree(
  { gitDir }: Repository,
  { base, edits }: { base: string | undefined; edits: TreeEdits },
  { signal }: WriteOptions,
): Promise<string> {
  const indexFile = join(gitDir, newId('index'));
  const options = { env: { ...gitEnvironment(), GIT_INDEX_FILE: indexFile }, signal, timeoutMs };
  const git = (...args: string[]) => ['--git-dir', gitDir, ...args];
  try {
    if (base) await exec('git', git('read-tree', base), options);
    // Removals first: a file may take the place of a folder, and the other way round.
    const lines = [...edits].sort(([, a], [, b]) => Number(a !== undefined) - Number(b !== undefined));
    const input = lines.map(([path, file]) => `${file?.mode ?? '0'} ${file?.id ?? noObject}\t${path}\0`).join('');
    await exec('git', git('update-index', '-z', '--index-info'), { ...options, input });
    return idOf((await exec('git', git('write-tree'), options)).stdout);
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}

export interface CommitText {
  readonly message: string;
  readonly author: Identity;
  readonly committer: Identity;
  /** Wall time, milliseconds. */
  readonly atMs: number;
}

export async function writeCommit(
  { gitDir }: Repository,
  { tree, parent, text }: { tree: string; parent: string | undefined; text: CommitText },
  { signal }: WriteOptions,
): Promise<string> {
  const date = `@${Math.floor(text.atMs / 1000)} +0000`;
  const env = {
    ...gitEnvironment(),
    GIT_AUTHOR_NAME: text.author.name,
    GIT_AUTHOR_EMAIL: text.author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: text.committer.name,
    GIT_COMMITTER_EMAIL: text.committer.email,
    GIT_COMMITTER_DATE: date,
  };
  const args = ['--git-dir', gitDir, 'commit-tree', tree, ...(parent ? ['-p', parent] : [])];
  const input = text.message.endsWith('\n') ? text.message : `${text.message}\n`;
  return idOf((await exec('git', args, { env, input, signal, timeoutMs })).stdout);
}

export async function isAncestor(
  { gitDir }: Repository,
  { ancestor, of }: { ancestor: string; of: string },
  { signal }: WriteOptions,
): Promise<boolean> {
  const args = ['--git-dir', gitDir, 'merge-base', '--is-ancestor', ancestor, of];
  const answer = await exec('git', args, { env: gitEnvironment(), okExitCodes: [0, 1], signal, timeoutMs });
  return answer.exitCode === 0;
}
