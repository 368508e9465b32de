// Going back by commit: the folder that an application deploys from is made again what it was at the revision of an
// earlier release, in one commit on the branch it follows. Auto-sync stays on and follows.
// Restores the source's own folder. What it reads from elsewhere (a Kustomize base, values in another folder) stays.
import type { Application, ApplicationSource, RevisionHistory } from '@fairlead/contracts';
import { diffTrees, type FileChange } from '@fairlead/git';
import { type Actor, GitAccessError } from '../git-access/index.ts';
import type { HomeDeps } from './home.ts';

export interface Restoration {
  readonly repoURL: string;
  readonly branch: string;
  /** The head of the branch that it was compared with. */
  readonly base: string;
  readonly path: string;
  readonly changes: readonly FileChange[];
  readonly files: readonly { path: string; change: 'added' | 'changed' | 'removed' }[];
}

/** The entry of the history; refuses by what is there. */
export function releaseOf(application: Application, historyId: number): RevisionHistory {
  const { history = [] } = application.status ?? {};
  const found = history.find(({ id }) => id === historyId);
  if (found) return found;
  const ids = history.map(({ id }) => id).join(', ') || 'none';
  const limit = application.spec.revisionHistoryLimit ?? 10;
  const message = `historyId ${historyId} is not in the history of ${application.metadata.name} (the last ${limit} releases: ${ids}); choose one of them`;
  throw new GitAccessError('invalid', message, { details: { field: 'historyId' } });
}

export async function planRestoration(
  { git }: HomeDeps,
  { actor, application, release }: { actor: Actor; application: Application; release: RevisionHistory },
  { signal }: { signal: AbortSignal },
): Promise<Restoration> {
  const found = sourceOf(application, release);
  if (typeof found === 'string') {
    throw new GitAccessError('invalid', `${application.metadata.name} cannot go back by commit: ${found}`);
  }
  const source = found;
  const { repoURL, targetRevision: revision = '' } = source;
  const path = (source.path ?? '').replace(/^\.?\/*|\/+$/g, '');
  const branch = await git.branchOf(actor, { repoURL, revision }, { signal });
  const head = await git.read(actor, { repoURL, revision: branch }, { signal });
  const before = await git.read(actor, { repoURL, revision: release.revision }, { signal });
  const differences = await diffTrees(head.repository, { from: head.commit, to: before.commit }, { path, signal });
  const changes: FileChange[] = [];
  const files: Restoration['files'][number][] = [];
  for (const { path: file, before: now, after } of differences) {
    changes.push({ path: file, content: after ? await head.repository.readBlob(after.id) : null });
    files.push({ path: file, change: !after ? 'removed' : now ? 'changed' : 'added' });
  }
  return { repoURL, branch, base: head.commit, path, changes, files };
}

/** The source that is restored, or the reason why it cannot be. */
function sourceOf({ spec }: Application, release: RevisionHistory): ApplicationSource | string {
  const { source } = spec;
  if (!source) return 'it has several sources; revert the commits in their repositories one by one';
  if (source.chart) return 'it deploys a chart; set targetRevision to the earlier version instead';
  if (!/^[0-9a-f]{40}$/.test(release.revision)) return `release ${release.id} names no commit`;
  const then = release.source;
  const isMoved = then && (then.repoURL !== source.repoURL || (then.path ?? '') !== (source.path ?? ''));
  if (!isMoved) return source;
  return `release ${release.id} was deployed from ${then.repoURL} ${then.path ?? ''}; edit its source instead`;
}
