// What a job needs next: pods to start or to stop, or its verdict. Pure.
import { type KubeObject, listAt, numberAt, recordAt, stringAt } from '@fairlead/kube/object';
import { isPodActive } from '../pod-state.ts';
import { failuresInARow, finishedAtMs, type JobStatus } from './tracking.ts';

export interface Verdict {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

export interface JobDecision {
  readonly verdict?: Verdict;
  readonly create: number;
  readonly stop: readonly KubeObject[];
  readonly againAfterMs?: number;
}

interface JobView {
  readonly job: KubeObject;
  readonly status: JobStatus;
  readonly pods: readonly KubeObject[];
  readonly nowMs: number;
  /** The wait after the first failure. */
  readonly retryMs: number;
}

const maxRetryMs = 600_000;
/** Pods made in one go; the rest follows in the next. */
const burst = 500;

export function decideJob(view: JobView): JobDecision {
  const { job, status, pods, nowMs } = view;
  const active = pods.filter(isPodActive);
  const verdict = verdictOf(view, active);
  if (verdict) return { verdict, create: 0, stop: active };
  const spec = recordAt(job, 'spec');
  if (spec['suspend'] === true) return { create: 0, stop: active };
  const wanted = wantedActive(spec, numberAt(status, 'succeeded') ?? 0, active.length);
  const missing = Math.min(burst, wanted - active.length);
  const waitMs = missing > 0 ? retryWaitMs(view) : 0;
  const leftMs = deadlineMs(job, status) - nowMs;
  const soonest = Math.min(waitMs > 0 ? waitMs : Number.POSITIVE_INFINITY, leftMs);
  return {
    create: waitMs > 0 ? 0 : Math.max(0, missing),
    stop: missing < 0 ? active.slice(missing) : [],
    ...(Number.isFinite(soonest) ? { againAfterMs: Math.max(1, soonest) } : {}),
  };
}

/** Without completions the pods themselves know when the work is done: after the first success none is started. */
function wantedActive(spec: Record<string, unknown>, succeeded: number, active: number): number {
  const parallelism = numberAt(spec, 'parallelism') ?? 1;
  const completions = numberAt(spec, 'completions');
  if (completions === undefined) return succeeded > 0 ? Math.min(active, parallelism) : parallelism;
  return Math.min(parallelism, Math.max(0, completions - succeeded));
}

function verdictOf({ job, status, nowMs }: JobView, active: readonly KubeObject[]): Verdict | undefined {
  const decided = listAt(status, 'conditions').find((condition) =>
    ['SuccessCriteriaMet', 'FailureTarget'].includes(stringAt(condition, 'type') ?? ''),
  );
  if (decided) {
    const type = stringAt(decided, 'type') === 'FailureTarget' ? 'Failed' : 'Complete';
    return { type, reason: stringAt(decided, 'reason') ?? '', message: stringAt(decided, 'message') ?? '' };
  }
  const spec = recordAt(job, 'spec');
  const succeeded = numberAt(status, 'succeeded') ?? 0;
  if (isPastLimit(spec, numberAt(status, 'failed') ?? 0, active)) {
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  if (deadlineMs(job, status) <= nowMs) {
    return { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  }
  const completions = numberAt(spec, 'completions');
  const isDone = completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions;
  if (!isDone || spec['suspend'] === true) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { type: 'Complete', reason: 'CompletionsReached', message };
}

function isPastLimit(spec: Record<string, unknown>, failed: number, active: readonly KubeObject[]): boolean {
  const limit = numberAt(spec, 'backoffLimit') ?? 6;
  if (failed > limit) return true;
  if (stringAt(spec, 'template', 'spec', 'restartPolicy') !== 'OnFailure') return false;
  const restarts = active
    .flatMap((pod) => listAt(pod, 'status', 'containerStatuses'))
    .reduce((sum: number, container) => sum + (numberAt(container, 'restartCount') ?? 0), 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** Infinity without a deadline, or while the job is suspended. */
function deadlineMs(job: KubeObject, status: JobStatus): number {
  const seconds = numberAt(job, 'spec', 'activeDeadlineSeconds');
  const startTime = stringAt(status, 'startTime');
  const isBound = seconds !== undefined && startTime !== undefined && recordAt(job, 'spec')['suspend'] !== true;
  return isBound ? Date.parse(startTime) + seconds * 1000 : Number.POSITIVE_INFINITY;
}

function retryWaitMs({ pods, nowMs, retryMs }: JobView): number {
  const failures = failuresInARow(pods);
  if (failures.length === 0) return 0;
  const delayMs = Math.min(maxRetryMs, retryMs * 2 ** Math.min(30, failures.length - 1));
  return Math.max(...failures.map(finishedAtMs)) + delayMs - nowMs;
}
