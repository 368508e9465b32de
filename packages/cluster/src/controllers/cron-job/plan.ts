// What a cron job does now: which run is due, whether it may start, which finished jobs are too many. Pure.
import {
  controllerReference,
  isRecord,
  type KubeObject,
  listAt,
  numberAt,
  recordAt,
  stringAt,
} from '@fairlead/kube/object';
import { nextTime, parseSchedule, zoneOffset } from '../../schedule/index.ts';

export const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

export interface CronRuns {
  /** The latest run that should have started and has not. */
  readonly dueMs?: number;
  readonly nextMs?: number;
}

const dayMs = 86_400_000;
/** How far back the latest run is looked for, step by step: few times of any schedule lie in the first step that has one. */
const windowsMs = [3_600_000, 2 * dayMs, 40 * dayMs, 400 * dayMs, Number.POSITIVE_INFINITY];

/** undefined when the schedule or the zone cannot be read. Of runs that were missed only the latest is made up for. */
export function runsOf(cronJob: KubeObject, nowMs: number): CronRuns | undefined {
  const schedule = parseSchedule(stringAt(cronJob, 'spec', 'schedule') ?? '');
  const offsetAt = zoneOffset(stringAt(cronJob, 'spec', 'timeZone') ?? 'UTC');
  if (!schedule || !offsetAt) return undefined;
  const deadlineSeconds = numberAt(cronJob, 'spec', 'startingDeadlineSeconds') ?? Number.POSITIVE_INFINITY;
  const last = stringAt(cronJob, 'status', 'lastScheduleTime') ?? cronJob.metadata.creationTimestamp ?? '';
  const earliestMs = Math.max(Date.parse(last), nowMs - deadlineSeconds * 1000);
  const next = (afterMs: number) => nextTime(schedule, afterMs, offsetAt);
  const nextMs = next(nowMs);
  const dueMs = latestBetween(next, earliestMs, nowMs);
  return { ...(dueMs === undefined ? {} : { dueMs }), ...(nextMs === undefined ? {} : { nextMs }) };
}

function latestBetween(next: (afterMs: number) => number | undefined, earliestMs: number, nowMs: number) {
  for (const windowMs of windowsMs) {
    const fromMs = Math.max(earliestMs, nowMs - windowMs);
    let latestMs: number | undefined;
    for (let atMs = next(fromMs); atMs !== undefined && atMs <= nowMs; atMs = next(atMs)) latestMs = atMs;
    if (latestMs !== undefined || fromMs === earliestMs) return latestMs;
  }
  return undefined;
}

export function outcomeOf(job: KubeObject): 'Complete' | 'Failed' | undefined {
  const ended = listAt(job, 'status', 'conditions')
    .filter(isRecord)
    .find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
  return ended && (ended['type'] === 'Failed' ? 'Failed' : 'Complete');
}

const createdMs = ({ metadata }: KubeObject) => Date.parse(metadata.creationTimestamp ?? '');

/** Finished jobs beyond the history limits, oldest first. */
export function surplusJobs(cronJob: KubeObject, jobs: readonly KubeObject[]): readonly KubeObject[] {
  const beyond = (outcome: 'Complete' | 'Failed', limit: number) => {
    const ended = jobs.filter((job) => outcomeOf(job) === outcome).sort((a, b) => createdMs(a) - createdMs(b));
    return ended.slice(0, Math.max(0, ended.length - limit));
  };
  return [
    ...beyond('Complete', numberAt(cronJob, 'spec', 'successfulJobsHistoryLimit') ?? 3),
    ...beyond('Failed', numberAt(cronJob, 'spec', 'failedJobsHistoryLimit') ?? 1),
  ];
}

/** The name follows from the time, so that a run cannot start twice. */
export function jobFor(cronJob: KubeObject, atMs: number): KubeObject {
  const template = recordAt(cronJob, 'spec', 'jobTemplate');
  const { labels, annotations } = recordAt(template, 'metadata') as Partial<KubeObject['metadata']>; // a template's metadata is ObjectMeta
  const scheduled = new Date(atMs).toISOString().replace('.000Z', 'Z');
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${cronJob.metadata.name}-${Math.floor(atMs / 60_000)}`,
      namespace: cronJob.metadata.namespace,
      labels,
      annotations: { ...annotations, [scheduledAnnotation]: scheduled },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: template['spec'],
  };
}
