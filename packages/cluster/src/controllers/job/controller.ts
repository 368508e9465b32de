// Jobs: pods that run to their end, as many as asked for, some of them at a time. Each pass counts what has ended,
// decides, acts, and writes the status; pods and timers (deadline, back-off, time to live) bring it back.
import { toKubeTime } from '@fairlead/base';
import { controllerOf, type KubeObject, numberAt } from '@fairlead/kube/object';
import type { Target } from '../../objects/index.ts';
import type { LoopResult } from '../../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, manager, splitKey } from '../context.ts';
import { startOwnerLoop } from '../owner-loop.ts';
import { createPod, deletePod, podFromTemplate, podsControlledBy } from '../pods.ts';
import { decideJob, type Verdict } from './decision.ts';
import { endedAtMs, isFinished, withPods, withStart } from './status.ts';
import { countNoted, isTracked, type JobStatus, noteFinished, trackingFinalizer, uncountedUids } from './tracking.ts';

const component = 'job-controller';
/** Timers hold no more; what is later is looked at once more on the way. */
const maxWaitMs = 86_400_000;

export interface JobOptions {
  /** The wait before a failed pod is replaced for the first time; doubles. */
  readonly retryMs: number;
}

export function startJobs(context: ControllerContext, options: JobOptions): Controller {
  return startOwnerLoop(context, {
    owners: 'batch/jobs',
    kind: 'Job',
    dependents: 'pods',
    reconcile: (key) => reconcile(context, key, options),
  });
}

async function reconcile(context: ControllerContext, key: string, options: JobOptions): Promise<LoopResult> {
  const { objects } = context;
  const target = { type: builtIn(objects, 'batch', 'Job'), ...splitKey(key) };
  const job = objects.find(target)?.object;
  if (!job) return releaseStrays(context, target);
  const pods = podsControlledBy(context, job.metadata.uid ?? '');
  if (isFinished(job)) {
    await release(context, pods);
    return expire(context, target, job);
  }
  if (job.metadata.deletionTimestamp) {
    await release(
      context,
      pods.filter(({ metadata }) => metadata.deletionTimestamp),
    );
    return undefined;
  }
  return advance(context, { target, job, options });
}

interface JobPass {
  readonly target: Target;
  readonly job: KubeObject;
  readonly options: JobOptions;
}

async function advance(context: ControllerContext, { target, job, options }: JobPass): Promise<LoopResult> {
  const { clock } = context;
  const { uid = '' } = job.metadata;
  const now = toKubeTime(clock.now());
  const counted = await count(context, target, job);
  const status = withStart(job, counted, now);
  const pods = podsControlledBy(context, uid);
  const decision = decideJob({ job, status, pods, nowMs: clock.now(), retryMs: options.retryMs });
  const { verdict, create, stop, againAfterMs } = decision;
  const pod = podFromTemplate(job);
  const tracked = {
    ...pod,
    metadata: { ...pod.metadata, finalizers: [...(pod.metadata.finalizers ?? []), trackingFinalizer] },
  };
  await Promise.all([
    ...Array.from({ length: create }, () => createPod(context, { owner: job, pod: tracked, component })),
    ...stop.map((surplus) => deletePod(context, { owner: job, pod: surplus, component })),
  ]);
  const next = withPods(status, { pods: podsControlledBy(context, uid), verdict, now });
  await writeStatus(context, target, next);
  if (verdict && isFinished({ ...job, status: next })) announce(context, job, verdict);
  return againAfterMs === undefined ? undefined : { againAfterMs: Math.min(againAfterMs, maxWaitMs) };
}

/** Ended pods are written down, let go, and then become numbers: in this order a crash between loses and doubles none. */
async function count(context: ControllerContext, target: Target, job: KubeObject): Promise<JobStatus> {
  const pods = podsControlledBy(context, job.metadata.uid ?? '');
  const noted = noteFinished(job, pods);
  const uids = uncountedUids(noted);
  const stopped = pods.filter(({ metadata }) => metadata.deletionTimestamp && !uids.includes(metadata.uid));
  if (uids.length > 0) await writeStatus(context, target, noted);
  await release(context, [...pods.filter(({ metadata }) => uids.includes(metadata.uid)), ...stopped]);
  return countNoted(noted);
}

async function writeStatus({ objects }: ControllerContext, target: Target, status: JobStatus): Promise<void> {
  await objects.update(target, (present) => ({ ...present, status }), { manager, subresource: 'status' });
}

async function release({ objects }: ControllerContext, pods: readonly KubeObject[]): Promise<void> {
  const type = builtIn(objects, '', 'Pod');
  const letGo = (present: KubeObject) => {
    const finalizers = (present.metadata.finalizers ?? []).filter((name) => name !== trackingFinalizer);
    return { ...present, metadata: { ...present.metadata, finalizers } };
  };
  const held = pods.filter(isTracked).map(({ metadata: { namespace = '', name } }) => ({ type, namespace, name }));
  await Promise.all(held.filter((pod) => objects.find(pod)).map((pod) => objects.update(pod, letGo, { manager })));
}

/** Pods whose job is gone: nobody counts them any more. */
async function releaseStrays(context: ControllerContext, { namespace, name }: Target): Promise<undefined> {
  const pods = [...context.objects.store.collection('pods').scan({ namespace })].map(({ object }) => object);
  const isStray = (pod: KubeObject) => {
    const owner = controllerOf(pod);
    return isTracked(pod) && owner?.kind === 'Job' && owner.name === name;
  };
  await release(context, pods.filter(isStray));
}

async function expire({ objects, clock }: ControllerContext, target: Target, job: KubeObject): Promise<LoopResult> {
  const seconds = numberAt(job, 'spec', 'ttlSecondsAfterFinished');
  const endedMs = endedAtMs(job);
  if (seconds === undefined || endedMs === undefined || job.metadata.deletionTimestamp) return undefined;
  const leftMs = endedMs + seconds * 1000 - clock.now();
  if (leftMs > 0) return { againAfterMs: Math.min(leftMs, maxWaitMs) };
  const { uid } = job.metadata;
  await objects.delete(target, { propagationPolicy: 'Foreground', preconditions: { uid } });
  return undefined;
}

function announce({ events }: ControllerContext, job: KubeObject, { type, reason, message }: Verdict): void {
  if (type === 'Failed') events.record({ about: job, type: 'Warning', reason, message, component });
  else events.record({ about: job, type: 'Normal', reason: 'Completed', message: 'Job completed', component });
}
