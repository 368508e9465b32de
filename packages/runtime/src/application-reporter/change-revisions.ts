import type { Application, ApplicationSource } from '@fairlead/contracts';
import { changeRevisionAnnotation } from '../change-revision/index.ts';

/** Per source, '' where none could be named. Where its controller wrote them: into the operation, or, beside an Argo CD of others, into an annotation. */
export function changeRevisionsOf({ status, metadata }: Application): readonly string[] | undefined {
  const sync = status?.operationState?.operation.sync;
  const { changeRevision, changeRevisions } = (sync ?? {}) as { changeRevision?: string; changeRevisions?: string[] };
  if (changeRevisions) return changeRevisions;
  if (changeRevision) return [changeRevision];
  return metadata.annotations?.[changeRevisionAnnotation]?.split(',');
}

export interface NamedCommit {
  readonly source: ApplicationSource;
  readonly index: number;
  readonly revision: string;
}

/**
 * The commit that last changed the application, of its first source that has one. Undefined unless it is synced: what
 * the last synchronization deployed is then what Git has, however many commits of others came after it.
 */
export function lastChangeOf(application: Application): NamedCommit | undefined {
  const { spec, status } = application;
  if (status?.sync?.status !== 'Synced') return undefined;
  const sources = spec.sources?.length ? spec.sources : spec.source ? [spec.source] : [];
  for (const [index, revision] of (changeRevisionsOf(application) ?? []).entries()) {
    const source = sources[index];
    if (source && !source.chart && revision !== '') return { source, index, revision };
  }
  return undefined;
}
