import type { Repository } from '../mirror/index.ts';
import { InvalidChangeError, type PathConflict } from './errors.ts';
import { contentsOf } from './file-changes.ts';
import { isAncestor, type TreeEdits } from './object-writer.ts';
import { diffTrees, emptyTree, type FileDifference, type FileVersion } from './tree-difference.ts';
import { foldersOf, isSameVersion } from './tree-lookup.ts';

interface PlannedRevert {
  readonly edits: TreeEdits;
  readonly conflicts: readonly PathConflict[];
  readonly message: string;
}

const maxConflictContents = 20;

/**
 * Every path that the commit changed goes back to what it was before. A path must still be as the commit left it; one
 * that is already as before is left alone; anything else is a conflict.
 */
export async function planRevert(
  repository: Repository,
  { head, commit }: { head: string; commit: string },
  { signal }: { signal?: AbortSignal | undefined },
): Promise<PlannedRevert> {
  const isPart =
    (await repository.hasCommit(commit)) && (await isAncestor(repository, { ancestor: commit, of: head }, { signal }));
  if (!isPart) throw new InvalidChangeError(`commit ${commit} is not part of the branch`);
  const { parents, message } = await repository.commitMetadata(commit);
  const changed = await diffTrees(repository, { from: parents[0] ?? emptyTree, to: commit }, { signal });
  const since = await changesSince(repository, { commit, head }, signal);
  const edits = new Map<string, FileVersion | undefined>();
  const conflicts: PathConflict[] = [];
  for (const { path, before, after } of changed) {
    const later = since.at(path);
    const now = later ? later.after : after;
    if (isSameVersion(now, before)) continue;
    if (!later && !(before && since.takesPlaceOf(path))) edits.set(path, before);
    else {
      const withContents = conflicts.length < maxConflictContents;
      const contents = withContents ? await contentsOf(repository, { base: after, theirs: now, ours: before }) : {};
      conflicts.push({ path, ...contents });
    }
  }
  const subject = message.split('\n')[0] ?? '';
  return { edits, conflicts, message: `Revert "${subject}"\n\nThis reverts commit ${commit}.` };
}

/** What happened on the branch after the commit. */
async function changesSince(
  repository: Repository,
  { commit, head }: { commit: string; head: string },
  signal: AbortSignal | undefined,
) {
  const differences = new Map<string, FileDifference>();
  const folders = new Set<string>();
  for (const difference of await diffTrees(repository, { from: commit, to: head }, { signal })) {
    differences.set(difference.path, difference);
    if (difference.after) for (const folder of foldersOf(difference.path)) folders.add(folder);
  }
  return {
    at: (path: string) => differences.get(path),
    /** A file is now where the path needs a folder, or a folder where it needs a file. */
    takesPlaceOf: (path: string) =>
      folders.has(path) || foldersOf(path).some((folder) => differences.get(folder)?.after),
  };
}
