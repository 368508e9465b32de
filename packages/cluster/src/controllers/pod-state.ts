// What controllers read from pods. Pure.
import { isRecord, type KubeObject, listAt, stringAt } from '@fairlead/kube/object';

export function isPodActive(pod: KubeObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return phase !== 'Succeeded' && phase !== 'Failed' && !pod.metadata.deletionTimestamp;
}

function readyCondition(pod: KubeObject): Record<string, unknown> | undefined {
  return listAt(pod, 'status', 'conditions')
    .filter(isRecord)
    .find(({ type }) => type === 'Ready');
}

export const isPodReady = (pod: KubeObject): boolean => readyCondition(pod)?.['status'] === 'True';

/** Milliseconds until a ready pod counts as available; 0 when it does; undefined when it is not ready. */
export function untilAvailableMs(pod: KubeObject, minReadySeconds: number, nowMs: number): number | undefined {
  const ready = readyCondition(pod);
  if (ready?.['status'] !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  const sinceMs = Date.parse(String(ready['lastTransitionTime']));
  return Math.max(0, sinceMs + minReadySeconds * 1000 - nowMs);
}
