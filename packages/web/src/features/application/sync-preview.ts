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

/** The newest operation known at the moment of asking. */
export interface Asked {
  /** When it began; the row is often a moment ahead of the report. */
  readonly lastStartMs: number;
  readonly reported: OperationReport | undefined;
}

export function rememberLast({ row, report }: ApplicationDetail): Asked {
  return { lastStartMs: Math.max(startMs(row.operation), startMs(report.operation)), reported: report.operation };
}

/**
 * The operation that came after the newest one known before. Starts are told in whole seconds, so that two operations may
 * share one; then the reported one is new if it is not what was reported before, since a finished operation never changes.
 */
export function followOperation({ lastStartMs, reported }: Asked, latest: OperationReport | undefined): Followed {
  const isNew =
    startMs(latest) > lastStartMs ||
    (startMs(latest) === lastStartMs && startMs(reported) === lastStartMs && !isSame(latest, reported));
  if (!latest || !isNew) return { stage: 'waiting' };
  return { stage: isRunning(latest) ? 'running' : 'finished', operation: latest };
}

const startMs = (operation: { readonly startedAt: string } | undefined): number =>
  operation ? Date.parse(operation.startedAt) : 0;

const isSame = (a: OperationReport | undefined, b: OperationReport | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
