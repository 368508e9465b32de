import { type KubeObject, numberAt, stringAt } from '@fairlead/kube/object';
import { isPodReady, untilAvailableMs } from '../pod-state.ts';
import { isAvailable, replicasOf, revisionLabel, type SetView } from './steps.ts';

const positive = (name: string, count: number) => (count > 0 ? { [name]: count } : {});

export function statefulSetStatus(view: SetView & { readonly currentRevision: string }) {
  const { set, pods, updateRevision, nowMs } = view;
  const staying = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  const countOf = (revision: string) =>
    staying.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length;
  const wanted = replicasOf(set);
  const readyReplicas = pods.filter(isPodReady).length;
  const updatedReplicas = countOf(updateRevision);
  const isRolledOut =
    stringAt(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete' &&
    [pods.length, readyReplicas, updatedReplicas].every((count) => count === wanted);
  const currentRevision = isRolledOut ? updateRevision : view.currentRevision;
  const status = {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    ...positive('readyReplicas', readyReplicas),
    ...positive('currentReplicas', countOf(currentRevision)),
    ...positive('updatedReplicas', updatedReplicas),
    currentRevision,
    updateRevision,
    collisionCount: 0,
    availableReplicas: pods.filter((pod) => isAvailable(view, pod)).length,
  };
  return { status, againAfterMs: nextAvailableMs(set, staying, nowMs) };
}

function nextAvailableMs(set: KubeObject, pods: readonly KubeObject[], nowMs: number): number | undefined {
  const minReadySeconds = numberAt(set, 'spec', 'minReadySeconds') ?? 0;
  const waits = pods.flatMap((pod) => untilAvailableMs(pod, minReadySeconds, nowMs) ?? []).filter((ms) => ms > 0);
  return waits.length === 0 ? undefined : Math.min(...waits) + 10;
}
