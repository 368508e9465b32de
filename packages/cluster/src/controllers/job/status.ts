// The status of a job as Kubernetes writes it. Pure.
import { isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import { isPodActive, isPodReady } from '../pod-state.ts';
import type { Verdict } from './decision.ts';
import type { JobStatus } from './tracking.ts';

type Condition = Record<string, unknown>;

const conditionsOf = (status: JobStatus): readonly Condition[] => listAt(status, 'conditions').filter(isRecord);

const isTrue = (status: JobStatus, type: string) =>
  conditionsOf(status).some((condition) => condition['type'] === type && condition['status'] === 'True');

export const isFinished = (job: KubeObject): boolean =>
  isTrue(recordAt(job, 'status'), 'Complete') || isTrue(recordAt(job, 'status'), 'Failed');

/** When it ended; undefined while it has not. */
export function endedAtMs(job: KubeObject): number | undefined {
  const ended = conditionsOf(recordAt(job, 'status')).find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  return ended && Date.parse(String(ended['lastTransitionTime']));
}

function condition(type: string, { reason, message }: { reason: string; message: string }, now: string): Condition {
  return { type, status: 'True', lastProbeTime: now, lastTransitionTime: now, reason, message };
}

/** Start time and the Suspended condition, which say since when the job may run. */
export function withStart(job: KubeObject, status: JobStatus, now: string): JobStatus {
  const isSuspended = recordAt(job, 'spec')['suspend'] === true;
  const others = conditionsOf(status).filter(({ type }) => type !== 'Suspended');
  if (isSuspended) {
    if (isTrue(status, 'Suspended')) return status;
    const { startTime: _startTime, ...rest } = status;
    const suspended = condition('Suspended', { reason: 'JobSuspended', message: 'Job suspended' }, now);
    return { ...rest, conditions: [...others, suspended] };
  }
  const startTime = stringAt(status, 'startTime') ?? now;
  if (!isTrue(status, 'Suspended')) return { ...status, startTime };
  const resumed = condition('Suspended', { reason: 'JobResumed', message: 'Job resumed' }, now);
  return { ...status, startTime, conditions: [...others, { ...resumed, status: 'False' }] };
}

/** Numbers of pods, and the verdict: first what is aimed at, then, when no pod is left, what has become of it. */
export function withPods(
  status: JobStatus,
  { pods, verdict, now }: { pods: readonly KubeObject[]; verdict: Verdict | undefined; now: string },
): JobStatus {
  const { active: _active, ...rest } = status;
  const active = pods.filter(isPodActive);
  const terminating = pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp && !['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? ''),
  ).length;
  const counts = {
    ...(active.length > 0 ? { active: active.length } : {}),
    ready: active.filter(isPodReady).length,
    terminating,
  };
  if (!verdict) return { ...rest, ...counts };
  const aim = verdict.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const isOver = active.length + terminating === 0;
  const conditions = [
    ...conditionsOf(status),
    ...(isTrue(status, aim) ? [] : [condition(aim, verdict, now)]),
    ...(isOver ? [condition(verdict.type, verdict, now)] : []),
  ];
  const completionTime = isOver && verdict.type === 'Complete' ? { completionTime: now } : {};
  return { ...rest, ...counts, conditions, ...completionTime };
}
