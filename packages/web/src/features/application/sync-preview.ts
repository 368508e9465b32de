// What a synchronization would do, from what was reported last; shown before anybody presses the button.
import type { ApplicationDetail, OperationReport, ResourceReport } from '@fairlead/contracts';

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

/** When the newest operation known so far began; the row is often a moment ahead of the report. */
export function lastStart({ row, report }: ApplicationDetail): string | undefined {
  return [row.operation?.startedAt, report.operation?.startedAt]
    .filter((start) => start !== undefined)
    .sort((a, b) => Date.parse(b) - Date.parse(a))[0];
}

/** The operation that began after the newest one known at the moment of asking. */
export function followOperation(before: string | undefined, latest: OperationReport | undefined): Followed {
  if (!latest || (before && Date.parse(latest.startedAt) <= Date.parse(before))) return { stage: 'waiting' };
  return { stage: isRunning(latest) ? 'running' : 'finished', operation: latest };
}
