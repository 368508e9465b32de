// The life of a simulated pod as a table of steps: from what a pod shows follows what happens to it next. Pure.
import { isRecord, type KubeObject, listAt, numberAt, recordAt, stringAt } from '@fairlead/kube/object';

export interface SimulationTimes {
  /** Until the scheduler has found the node. */
  readonly scheduleMs: number;
  /** Until the images are there. */
  readonly pullMs: number;
  /** From running to ready. */
  readonly readyMs: number;
  /** From a failed pull to backing off. */
  readonly backOffMs: number;
  /** How long a container that is meant to end runs. */
  readonly completeMs: number;
  /** The first wait before what failed is tried again: a crashed container, a failed pod of a job. Doubles each time. */
  readonly retryMs: number;
  /** From the wish to delete to the end. */
  readonly terminateMs: number;
}

export const defaultTimes: SimulationTimes = {
  scheduleMs: 10,
  pullMs: 180,
  readyMs: 110,
  backOffMs: 1000,
  completeMs: 1000,
  retryMs: 10_000,
  terminateMs: 150,
};

export type StepName =
  | 'schedule'
  | 'accept'
  | 'start'
  | 'ready'
  | 'back-off'
  | 'complete'
  | 'crash'
  | 'crash-back-off'
  | 'restart'
  | 'terminate';

export interface Step {
  readonly name: StepName;
  readonly afterMs: number;
}

const waitingReason = (pod: KubeObject) =>
  listAt(pod, 'status', 'containerStatuses')
    .map((status) => stringAt(status, 'state', 'waiting', 'reason'))
    .find((reason) => reason !== undefined);

export const isReady = (pod: KubeObject): boolean =>
  listAt(pod, 'status', 'conditions').some(
    (condition) => isRecord(condition) && condition['type'] === 'Ready' && condition['status'] === 'True',
  );

/** Images that no registry has: for showing what goes wrong when one is asked for. */
export function isMissingImage(image: string): boolean {
  return /broken|does-not-exist/.test(image) || /:missing$/.test(image);
}

export const missingImages = (pod: KubeObject): readonly string[] =>
  listAt(pod, 'spec', 'containers')
    .map((container) => stringAt(container, 'image') ?? '')
    .filter(isMissingImage);

/** undefined when nothing will happen by itself. */
export function nextStep(pod: KubeObject, times: SimulationTimes): Step | undefined {
  const phase = stringAt(pod, 'status', 'phase');
  if (pod.metadata.deletionTimestamp) return { name: 'terminate', afterMs: times.terminateMs };
  if (phase === 'Succeeded' || phase === 'Failed') return undefined;
  const spec = recordAt(pod, 'spec');
  if (!spec['nodeName']) return { name: 'schedule', afterMs: times.scheduleMs };
  if (listAt(pod, 'status', 'containerStatuses').length === 0) return { name: 'accept', afterMs: 0 };
  const reason = waitingReason(pod);
  if (reason === 'ContainerCreating') return { name: 'start', afterMs: times.pullMs };
  if (reason === 'ErrImagePull') return { name: 'back-off', afterMs: times.backOffMs };
  // The image was changed to one that can be pulled.
  if (reason === 'ImagePullBackOff')
    return missingImages(pod).length === 0 ? { name: 'start', afterMs: times.pullMs } : undefined;
  if (reason === 'CrashLoopBackOff') return { name: 'restart', afterMs: crashDelayMs(pod, times) };
  if (hasCrashed(pod))
    return restartsOf(pod) === 0 ? { name: 'restart', afterMs: 0 } : { name: 'crash-back-off', afterMs: 0 };
  if (!isReady(pod)) return { name: 'ready', afterMs: times.readyMs };
  return lastStep(pod, times);
}

/** How a container that runs ends, if it does. */
function lastStep(pod: KubeObject, times: SimulationTimes): Step | undefined {
  const policy = recordAt(pod, 'spec')['restartPolicy'];
  const { isFailing, runMs = times.completeMs } = simulationOf(pod);
  if (isFailing && policy !== 'Never') return { name: 'crash', afterMs: runMs };
  return policy === 'Always' ? undefined : { name: 'complete', afterMs: runMs };
}

const behaviourAnnotation = 'fairlead.io/simulate';
const runAnnotation = 'fairlead.io/run-seconds';

/** What the pod's annotations ask of the simulation. Whether a failure is final follows from the restart policy. */
export function simulationOf({ metadata: { annotations = {} } }: KubeObject) {
  const behaviour = annotations[behaviourAnnotation];
  const seconds = Number(annotations[runAnnotation] ?? Number.NaN);
  return {
    isFailing: behaviour === 'fail' || behaviour === 'crash-loop',
    runMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined,
  };
}

const hasCrashed = (pod: KubeObject) =>
  listAt(pod, 'status', 'containerStatuses').some((status) => isRecord(recordAt(status, 'state')['terminated']));

export const restartsOf = (pod: KubeObject): number =>
  Math.max(0, ...listAt(pod, 'status', 'containerStatuses').map((status) => numberAt(status, 'restartCount') ?? 0));

const maxCrashDelayMs = 300_000;

/** The kubelet waits 10 s, 20 s, 40 s … up to five minutes; the first restart is immediate. */
export function crashDelayMs(pod: KubeObject, { retryMs }: SimulationTimes): number {
  return Math.min(maxCrashDelayMs, retryMs * 2 ** Math.min(30, Math.max(0, restartsOf(pod) - 1)));
}
