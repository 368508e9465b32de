// Which pod of a StatefulSet is made or removed next. Pure.
import { type KubeObject, numberAt, recordAt, stringAt } from '@fairlead/kube/object';
import { untilAvailableMs } from '../pod-state.ts';

export const revisionLabel = 'controller-revision-hash';

export interface SetView {
  readonly set: KubeObject;
  readonly pods: readonly KubeObject[];
  readonly updateRevision: string;
  readonly nowMs: number;
}

export interface PodSteps {
  readonly create: readonly number[];
  readonly remove: readonly KubeObject[];
}

export const ordinalOf = ({ metadata: { name } }: KubeObject): number => Number(name.slice(name.lastIndexOf('-') + 1));

export const replicasOf = (set: KubeObject): number => numberAt(set, 'spec', 'replicas') ?? 1;
const startOf = (set: KubeObject) => numberAt(set, 'spec', 'ordinals', 'start') ?? 0;
const isParallel = (set: KubeObject) => recordAt(set, 'spec')['podManagementPolicy'] === 'Parallel';
const hasEnded = (pod: KubeObject) => ['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? '');

export function isAvailable({ set, nowMs }: Pick<SetView, 'set' | 'nowMs'>, pod: KubeObject): boolean {
  const minReadySeconds = numberAt(set, 'spec', 'minReadySeconds') ?? 0;
  return !pod.metadata.deletionTimestamp && untilAvailableMs(pod, minReadySeconds, nowMs) === 0;
}

/** First pods are missing or in the way, then there are too many, then some are of an old template: one thing at a time. */
export function nextSteps(view: SetView): PodSteps {
  const replacing = fillSteps(view);
  if (replacing) return replacing;
  return surplusSteps(view) ?? { create: [], remove: updateSteps(view) };
}

/** undefined when all wanted pods are there and (unless pods are managed in parallel) available. */
function fillSteps(view: SetView): PodSteps | undefined {
  const { set, pods } = view;
  const create: number[] = [];
  const remove: KubeObject[] = [];
  for (let ordinal = startOf(set); ordinal < startOf(set) + replicasOf(set); ordinal++) {
    const pod = pods.find((candidate) => ordinalOf(candidate) === ordinal);
    if (!pod) create.push(ordinal);
    else if (hasEnded(pod) && !pod.metadata.deletionTimestamp) remove.push(pod);
    if (!isParallel(set) && !(pod && isAvailable(view, pod))) return { create, remove };
  }
  return create.length + remove.length === 0 ? undefined : { create, remove };
}

/** The highest goes first, and alone. */
function surplusSteps({ set, pods }: SetView): PodSteps | undefined {
  const end = startOf(set) + replicasOf(set);
  const surplus = pods.filter((pod) => ordinalOf(pod) >= end).sort((a, b) => ordinalOf(b) - ordinalOf(a));
  if (surplus.length === 0) return undefined;
  const chosen = isParallel(set) ? surplus : surplus.slice(0, 1);
  return { create: [], remove: chosen.filter(({ metadata }) => !metadata.deletionTimestamp) };
}

/** From the highest ordinal down to the partition; a pod that is not available yet holds up those below it. */
function updateSteps(view: SetView): readonly KubeObject[] {
  const { set, pods, updateRevision } = view;
  if (stringAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return [];
  const first = startOf(set) + partitionOf(set);
  for (const pod of [...pods].sort((a, b) => ordinalOf(b) - ordinalOf(a))) {
    if (ordinalOf(pod) < first) return [];
    const isOld = pod.metadata.labels?.[revisionLabel] !== updateRevision;
    if (isOld && !pod.metadata.deletionTimestamp) return [pod];
    if (!isAvailable(view, pod)) return [];
  }
  return [];
}

const partitionOf = (set: KubeObject) => numberAt(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0;

/** Below the partition a new pod is made from the template that was current before the update. */
export function usesCurrentRevision(set: KubeObject, ordinal: number): boolean {
  const isRolling = stringAt(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete';
  return isRolling && ordinal < startOf(set) + partitionOf(set);
}
