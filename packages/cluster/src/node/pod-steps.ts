// The life of a simulated pod as a table of steps: from what a pod shows follows what happens to it next. Pure.
import { isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';

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
  /** From the wish to delete to the end. */
  readonly terminateMs: number;
}

export const defaultTimes: SimulationTimes = {
  scheduleMs: 10,
  pullMs: 180,
  readyMs: 110,
  backOffMs: 1000,
  completeMs: 1000,
  terminateMs: 150,
};

export type StepName = 'schedule' | 'accept' | 'start' | 'ready' | 'back-off' | 'complete' | 'terminate';

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
  if (!isReady(pod)) return { name: 'ready', afterMs: times.readyMs };
  return spec['restartPolicy'] === 'Always' ? undefined : { name: 'complete', afterMs: times.completeMs };
}
