// From "these files shall hold this" to the edits of one tree, or to the conflicts that forbid them.
import { mapLimit } from '@fairlead/base';
import { GitObjectError, type Repository } from '../mirror/index.ts';
import { InvalidChangeError, type PathConflict } from './errors.ts';
import { assertSafePath, assertSeparatePaths } from './names.ts';
import { type TreeEdits, writeBlob } from './object-writer.ts';
import type { FileVersion } from './tree-difference.ts';
import { type Found, findAt, foldersOf, isSameVersion, versionOf } from './tree-lookup.ts';

export interface FileChange {
  readonly path: string;
  /** The whole new content; null removes the file (nothing happens when there is none). */
  readonly content: string | Uint8Array | null;
}

/** A change whose content is in the mirror already. */
export interface StoredChange {
  readonly path: string;
  readonly id: string | undefined;
}

const maxChanges = 1000;
const maxChangeBytes = 64 * 1024 * 1024;
const maxConflictBytes = 1024 * 1024;
const maxConflictContents = 20;

export function assertChanges(changes: readonly FileChange[]): void {
  if (changes.length > maxChanges)
    throw new InvalidChangeError(`${changes.length} files; at most ${maxChanges} per commit`);
  let sizeBytes = 0;
  for (const { path, content } of changes) {
    assertSafePath(path);
    if (content !== null) sizeBytes += Buffer.byteLength(content);
  }
  if (sizeBytes > maxChangeBytes)
    throw new InvalidChangeError(`${sizeBytes} bytes; at most ${maxChangeBytes} per commit`);
  assertSeparatePaths(changes.map(({ path }) => path));
}

export function storeChanges(
  repository: Repository,
  changes: readonly FileChange[],
  options: { signal?: AbortSignal | undefined },
): Promise<StoredChange[]> {
  return mapLimit(changes, 4, async ({ path, content }) => ({
    path,
    id: content === null ? undefined : await writeBlob(repository, content, options),
  }));
}

/** The edits of `head`'s tree. A file keeps its executable bit; what is no plain file is never replaced by one. */
export async function editsOf(
  repository: Repository,
  head: string | undefined,
  changes: readonly StoredChange[],
): Promise<TreeEdits> {
  const removed = new Set(changes.filter(({ id }) => id === undefined).map(({ path }) => path));
  const edits = new Map<string, FileVersion | undefined>();
  for (const { path, id } of changes) {
    const found = await findAt(repository, head, path);
    assertReplaceable(path, found, removed);
    if (id !== undefined) edits.set(path, { mode: versionOf(found)?.mode ?? '100644', id });
    else if (found.kind !== 'nothing') edits.set(path, undefined);
  }
  for (const [path, version] of edits) {
    const below = version && foldersOf(path).find((folder) => edits.get(folder) !== undefined);
    if (below) throw new InvalidChangeError(`${below} cannot be a file and the folder of ${path}`);
  }
  return edits;
}

function assertReplaceable(path: string, found: Found, removed: ReadonlySet<string>): void {
  if (found.kind === 'nothing') {
    const { below } = found;
    if (below !== undefined && !removed.has(below) && !removed.has(path))
      throw new InvalidChangeError(`${path} needs a folder where ${below} is a file`);
  } else if (found.kind === 'tree') throw new InvalidChangeError(`${path} is a folder; name its files`);
  else if (found.kind === 'submodule') throw new InvalidChangeError(`${path} is a submodule`);
  else if (found.kind === 'link' && !removed.has(path)) throw new InvalidChangeError(`${path} is a symbolic link`);
}

/** The changed paths that `head` holds otherwise than `base`, unless it holds already what was to be written. */
export async function conflictsBetween(
  repository: Repository,
  { base, head }: { base: string | undefined; head: string | undefined },
  changes: readonly StoredChange[],
): Promise<PathConflict[]> {
  if (base === head) return [];
  const conflicts: PathConflict[] = [];
  for (const { path, id } of changes) {
    const before = await findAt(repository, base, path);
    const now = await findAt(repository, head, path);
    // Somebody put a file where the path needs a folder.
    const isTaken = belowOf(now) !== undefined && belowOf(now) !== belowOf(before);
    if (!isTaken && isSameVersion(versionOf(before), versionOf(now))) continue;
    if (id === versionOf(now)?.id) continue;
    const versions = { base: versionOf(before), theirs: versionOf(now), ours: id ? { mode: '', id } : undefined };
    const withContents = conflicts.length < maxConflictContents;
    conflicts.push({ path, ...(withContents ? await contentsOf(repository, versions) : {}) });
  }
  return conflicts;
}

const belowOf = (found: Found) => (found.kind === 'nothing' ? found.below : undefined);

/** Contents above the bound are left out: the conflict is named all the same. */
export async function contentsOf(
  repository: Repository,
  versions: Readonly<Record<'base' | 'theirs' | 'ours', FileVersion | undefined>>,
): Promise<Omit<PathConflict, 'path'>> {
  const contents: { base?: Buffer; theirs?: Buffer; ours?: Buffer } = {};
  for (const side of ['base', 'theirs', 'ours'] as const) {
    const version = versions[side];
    if (!version || version.mode === '040000' || version.mode === '160000') continue;
    const content = await repository.readBlob(version.id).catch((error: unknown) => {
      if (error instanceof GitObjectError) return undefined; // larger than is read at all
      throw error;
    });
    if (content && content.length <= maxConflictBytes) contents[side] = content;
  }
  return contents;
}
