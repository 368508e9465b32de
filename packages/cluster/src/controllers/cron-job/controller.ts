// CronJobs: a job at each time of the schedule. One timer per cron job, set for its next time.
import { toKubeTime } from '@fairlead/base';
import { isControlledBy, type KubeObject, recordAt, stringAt } from '@fairlead/kube/object';
import type { LoopResult } from '../../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, manager, splitKey } from '../context.ts';
import { startOwnerLoop } from '../owner-loop.ts';
import { jobFor, outcomeOf, runsOf, scheduledAnnotation, surplusJobs } from './plan.ts';

const component = 'cronjob-controller';
/** Timers hold no more; what is later is looked at once more on the way. */
const maxWaitMs = 86_400_000;

export function startCronJobs(context: ControllerContext): Controller {
  return startOwnerLoop(context, {
    owners: 'batch/cronjobs',
    kind: 'CronJob',
    dependents: 'batch/jobs',
    reconcile: (key) => reconcile(context, key),
  });
}

async function reconcile(context: ControllerContext, key: string): Promise<LoopResult> {
  const { objects, clock } = context;
  const target = { type: builtIn(objects, 'batch', 'CronJob'), ...splitKey(key) };
  const cronJob = objects.find(target)?.object;
  if (!cronJob || cronJob.metadata.deletionTimestamp) return undefined;
  for (const job of surplusJobs(cronJob, jobsOf(context, cronJob))) await deleteJob(context, job);
  tellStrangers(context, cronJob);
  const nowMs = clock.now();
  const runs = recordAt(cronJob, 'spec')['suspend'] === true ? {} : runsOf(cronJob, nowMs);
  if (!runs) {
    const message = `invalid schedule: ${stringAt(cronJob, 'spec', 'schedule')}`;
    context.events.record({ about: cronJob, type: 'Warning', reason: 'InvalidSchedule', message, component });
    return undefined;
  }
  const startedMs = runs.dueMs === undefined ? undefined : await startRun(context, cronJob, runs.dueMs);
  const status = statusOf(cronJob, jobsOf(context, cronJob), startedMs);
  await objects.update(target, (present) => ({ ...present, status }), { manager, subresource: 'status' });
  return runs.nextMs === undefined ? undefined : { againAfterMs: Math.min(runs.nextMs - nowMs, maxWaitMs) };
}

const isScheduled = ({ metadata }: KubeObject) => metadata.annotations?.[scheduledAnnotation] !== undefined;

/** Jobs that somebody else has started in its name are told of, not counted. */
function tellStrangers(context: ControllerContext, cronJob: KubeObject): void {
  for (const job of jobsOf(context, cronJob).filter((one) => !isScheduled(one) && !outcomeOf(one))) {
    const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
    context.events.record({ about: cronJob, type: 'Warning', reason: 'UnexpectedJob', message, component });
  }
}

function jobsOf({ objects }: ControllerContext, { metadata: { uid = '' } }: KubeObject): readonly KubeObject[] {
  return objects.store
    .dependentsOf(uid)
    .filter(({ resource, object }) => resource === 'batch/jobs' && isControlledBy(object, uid))
    .map(({ object }) => object);
}

/** Resolves to the time of the run when it was started; a run that may not start beside another waits for its end. */
async function startRun(context: ControllerContext, cronJob: KubeObject, dueMs: number): Promise<number | undefined> {
  const { objects, events } = context;
  const running = jobsOf(context, cronJob).filter((job) => !outcomeOf(job) && !job.metadata.deletionTimestamp);
  const policy = stringAt(cronJob, 'spec', 'concurrencyPolicy');
  if (policy === 'Forbid' && running.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    events.record({ about: cronJob, type: 'Normal', reason: 'JobAlreadyActive', message, component });
    return undefined;
  }
  if (policy === 'Replace') for (const job of running) await deleteJob(context, job);
  const type = builtIn(objects, 'batch', 'Job');
  const { namespace = '' } = cronJob.metadata;
  const job = jobFor(cronJob, dueMs);
  if (!objects.find({ type, namespace, name: job.metadata.name })) {
    await objects.create(type, namespace, job, { manager });
    const message = `Created job ${job.metadata.name}`;
    events.record({ about: cronJob, type: 'Normal', reason: 'SuccessfulCreate', message, component });
  }
  return dueMs;
}

async function deleteJob({ objects }: ControllerContext, { metadata }: KubeObject): Promise<void> {
  const { namespace = '', name, uid } = metadata;
  const target = { type: builtIn(objects, 'batch', 'Job'), namespace, name };
  await objects.delete(target, { propagationPolicy: 'Background', preconditions: { uid } });
}

function statusOf(cronJob: KubeObject, jobs: readonly KubeObject[], startedMs: number | undefined) {
  const active = jobs
    .filter((job) => !outcomeOf(job) && isScheduled(job))
    .map(({ apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } }) => ({
      apiVersion,
      kind,
      name,
      namespace,
      resourceVersion,
      uid,
    }));
  const before = recordAt(cronJob, 'status');
  const succeeded = jobs.flatMap((job) =>
    outcomeOf(job) === 'Complete' ? (stringAt(job, 'status', 'completionTime') ?? []) : [],
  );
  const lastSuccessfulTime = [...succeeded, stringAt(before, 'lastSuccessfulTime') ?? ''].sort().at(-1);
  const lastScheduleTime = startedMs === undefined ? before['lastScheduleTime'] : toKubeTime(startedMs);
  return {
    ...(active.length > 0 ? { active } : {}),
    ...(lastScheduleTime ? { lastScheduleTime } : {}),
    ...(lastSuccessfulTime ? { lastSuccessfulTime } : {}),
  };
}
