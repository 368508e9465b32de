// What two commits (or trees) hold differently, file by file, and who changed a path. Read from the mirror alone.
import { exec, mapLimit } from '@fairlead/base';
import { type CommitMetadata, gitEnvironment, type Repository } from '../mirror/index.ts';

/** A file as a tree names it: git's mode (`100644`, `100755`, `120000`, `160000`) and the id of its content. */
export interface FileVersion {
  readonly mode: string;
  readonly id: string;
}

/** `before` is absent for a file that was added, `after` for one that was removed. A rename is one of each. */
export interface FileDifference {
  readonly path: string;
  readonly before?: FileVersion;
  readonly after?: FileVersion;
}

interface DiffOptions {
  /** A file or folder; default: everything. */
  readonly path?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** git knows it without storing it. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const objectId = /^[0-9a-f]{40}$/;

/** `from` and `to` are full ids of commits or trees that the mirror holds. Ordered by path. */
export async function diffTrees(
  repository: Repository,
  { from, to }: { from: string; to: string },
  { path, signal }: DiffOptions = {},
): Promise<FileDifference[]> {
  for (const id of [from, to]) if (!objectId.test(id)) throw new TypeError(`${JSON.stringify(id)} is not an object id`);
  const args = ['--git-dir', repository.gitDir, 'diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev'];
  const paths = path ? [`:(literal,top)${path}`] : [];
  const options = { env: gitEnvironment(), signal, timeoutMs: 60_000 };
  const { stdout } = await exec('git', [...args, '--end-of-options', from, to, '--', ...paths], options);
  return parseRawDiff(stdout.toString('utf8'));
}

/** `:100644 100644 <id> <id> M\0path\0`, again and again. */
function parseRawDiff(output: string): FileDifference[] {
  const fields = output.split('\0');
  const differences: FileDifference[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modeBefore = '', modeAfter = '', before = '', after = ''] = (fields[at] ?? '').slice(1).split(' ');
    differences.push({
      path: fields[at + 1] ?? '',
      ...(modeBefore === '000000' ? {} : { before: { mode: modeBefore, id: before } }),
      ...(modeAfter === '000000' ? {} : { after: { mode: modeAfter, id: after } }),
    });
  }
  return differences;
}

/** The commits reachable from `commit` that changed the file or folder, newest first; '' is the whole repository. */
export async function logPath(
  repository: Repository,
  { commit, path }: { commit: string; path: string },
  { limit = 100, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<CommitMetadata[]> {
  const paths = path === '' ? [] : [path];
  const ids = await repository.log(commit, { paths, limit, ...(signal ? { signal } : {}) });
  return mapLimit(ids, 8, (id) => repository.commitMetadata(id));
}

/** The newest commit that both have in their past; undefined when they share none. */
export async function mergeBase(
  { gitDir }: Repository,
  commits: readonly [string, string],
  { signal }: { signal?: AbortSignal } = {},
): Promise<string | undefined> {
  for (const id of commits) if (!objectId.test(id)) throw new TypeError(`${JSON.stringify(id)} is not an object id`);
  const args = ['--git-dir', gitDir, 'merge-base', ...commits];
  const options = { env: gitEnvironment(), okExitCodes: [0, 1], signal, timeoutMs: 60_000 };
  const { stdout } = await exec('git', args, options);
  return stdout.toString('utf8').trim() || undefined;
}
