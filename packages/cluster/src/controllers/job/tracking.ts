// Which pods of a job have ended and are counted. A pod is counted exactly once, whoever deletes it and whenever the
// process dies: it carries a finalizer until its uid is written down in the job's status. Pure.
import { isRecord, type KubeObject, listAt, numberAt, recordAt, stringAt } from '@fairlead/kube/object';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

export type JobStatus = Readonly<Record<string, unknown>>;

export const isTracked = ({ metadata }: KubeObject): boolean =>
  metadata.finalizers?.includes(trackingFinalizer) ?? false;

const hasSucceeded = (pod: KubeObject) => stringAt(pod, 'status', 'phase') === 'Succeeded';

/** A pod on its way out will not succeed any more. */
const hasFailed = (pod: KubeObject) =>
  !hasSucceeded(pod) && (stringAt(pod, 'status', 'phase') === 'Failed' || pod.metadata.deletionTimestamp !== undefined);

export const uncountedUids = (status: JobStatus): readonly unknown[] => [
  ...listAt(status, 'uncountedTerminatedPods', 'succeeded'),
  ...listAt(status, 'uncountedTerminatedPods', 'failed'),
];

/** The status with the uids of all pods that have ended and still carry the finalizer. */
export function noteFinished(job: KubeObject, pods: readonly KubeObject[]): JobStatus {
  const status = recordAt(job, 'status');
  const isSuspended = recordAt(job, 'spec')['suspend'] === true;
  const tracked = pods.filter(isTracked).filter(({ metadata }) => !uncountedUids(status).includes(metadata.uid));
  // A pod that was stopped because the job is suspended did not fail.
  const failed = tracked.filter((pod) => hasFailed(pod) && !(isSuspended && pod.metadata.deletionTimestamp));
  const merged = (name: string, ended: readonly KubeObject[]) => {
    const uids = [...listAt(status, 'uncountedTerminatedPods', name), ...ended.map(({ metadata }) => metadata.uid)];
    return uids.length === 0 ? {} : { [name]: uids };
  };
  const uncountedTerminatedPods = {
    ...merged('succeeded', tracked.filter(hasSucceeded)),
    ...merged('failed', failed),
  };
  return { ...status, uncountedTerminatedPods };
}

/** What was noted becomes a number. */
export function countNoted(status: JobStatus): JobStatus {
  const total = (name: 'succeeded' | 'failed') => {
    const count = (numberAt(status, name) ?? 0) + listAt(status, 'uncountedTerminatedPods', name).length;
    return count === 0 ? {} : { [name]: count };
  };
  return { ...status, ...total('succeeded'), ...total('failed'), uncountedTerminatedPods: {} };
}

/** When the pod's last container ended. */
export function finishedAtMs(pod: KubeObject): number {
  const times = listAt(pod, 'status', 'containerStatuses')
    .filter(isRecord)
    .map((status) => Date.parse(stringAt(status, 'state', 'terminated', 'finishedAt') ?? ''))
    .filter(Number.isFinite);
  return Math.max(Date.parse(pod.metadata.creationTimestamp ?? ''), ...times);
}

/** Pods that failed since the last one succeeded: they make the next wait longer. */
export function failuresInARow(pods: readonly KubeObject[]): readonly KubeObject[] {
  const lastSuccessMs = Math.max(0, ...pods.filter(hasSucceeded).map(finishedAtMs));
  return pods.filter((pod) => stringAt(pod, 'status', 'phase') === 'Failed' && finishedAtMs(pod) >= lastSuccessMs);
}
