// What a synchronization would do, from what was reported last; shown before anybody presses the button.
import type { OperationReport, ResourceReport } from '@fairlead/contracts';

export interface SyncPreview {
  readonly creates: readonly ResourceReport[];
  readonly updates: readonly ResourceReport[];
  /** In the cluster, not in Git any more: deleted with prune, left alone without. */
  readonly extras: readonly ResourceReport[];
}

export function previewSync(resources: readonly ResourceReport[]): SyncPreview {
  const own = resources.filter(({ hook }) => !hook);
  const differing = own.filter(({ sync, requiresPruning }) => sync === 'OutOfSync' && !requiresPruning);
  return {
    creates: differing.filter(({ live }) => live === undefined),
    updates: differing.filter(({ live }) => live !== undefined),
    extras: own.filter(({ requiresPruning }) => requiresPruning),
  };
}

export const isRunning = (operation: { readonly phase: OperationReport['phase'] } | undefined): boolean =>
  operation?.phase === 'Running' || operation?.phase === 'Terminating';

export type Followed =
  | { readonly stage: 'waiting' }
  | { readonly stage: 'running'; readonly operation: OperationReport }
  | { readonly stage: 'finished'; readonly operation: OperationReport };

/** The operation that came after the one known at the moment of asking. An operation is known by its start. */
export function followOperation(before: string | undefined, latest: OperationReport | undefined): Followed {
  if (!latest || latest.startedAt === before) return { stage: 'waiting' };
  return { stage: isRunning(latest) ? 'running' : 'finished', operation: latest };
}
