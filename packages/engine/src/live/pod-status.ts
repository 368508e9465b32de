// The one word for the state of a pod that kubectl and Argo CD show. A port of the rules of kubectl's printer.
import { isRecord, type KubeObject, listAt, numberAt, stringAt, valueAt } from '@fairlead/kube';

export interface PodSummary {
  readonly reason: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
}

export function podSummary(pod: KubeObject): PodSummary {
  const statuses = listAt(pod, 'status', 'containerStatuses');
  const initial = listAt(pod, 'status', 'initContainerStatuses');
  const sum = (list: readonly unknown[]) =>
    list.reduce<number>((n, item) => n + (numberAt(item, 'restartCount') ?? 0), 0);
  const initReason = initializing(pod, initial);
  const total = listAt(pod, 'spec', 'containers').length;
  const ready = statuses.filter((status) => valueAt(status, 'ready') === true && isRunning(status)).length;
  const base = stringAt(pod, 'status', 'reason') || stringAt(pod, 'status', 'phase') || '';
  const reason = initReason ?? containerReason(pod, statuses) ?? base;
  return { reason: deletionReason(pod) ?? reason, ready, total, restarts: initReason ? sum(initial) : sum(statuses) };
}

const isRunning = (status: unknown) => isRecord(valueAt(status, 'state', 'running'));

function deletionReason(pod: KubeObject): string | undefined {
  if (!pod.metadata.deletionTimestamp) return undefined;
  return stringAt(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
}

function initializing(pod: KubeObject, statuses: readonly unknown[]): string | undefined {
  for (const [index, status] of statuses.entries()) {
    const terminated = valueAt(status, 'state', 'terminated');
    if (isRecord(terminated) && terminated['exitCode'] === 0) continue;
    if (valueAt(status, 'started') === true && valueAt(status, 'ready') === true) continue;
    if (isRecord(terminated)) return `Init:${terminationReason(terminated)}`;
    const waiting = stringAt(status, 'state', 'waiting', 'reason');
    if (waiting && waiting !== 'PodInitializing') return `Init:${waiting}`;
    return `Init:${index}/${listAt(pod, 'spec', 'initContainers').length}`;
  }
  return undefined;
}

function terminationReason(terminated: Record<string, unknown>): string {
  const reason = stringAt(terminated, 'reason');
  if (reason) return reason;
  const signal = numberAt(terminated, 'signal') ?? 0;
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`;
}

/** The last container with something to tell decides; one that runs turns Completed back into Running. */
function containerReason(pod: KubeObject, statuses: readonly unknown[]): string | undefined {
  let reason: string | undefined;
  let isSomeRunning = false;
  for (const status of statuses.toReversed()) {
    const waiting = stringAt(status, 'state', 'waiting', 'reason');
    const terminated = valueAt(status, 'state', 'terminated');
    if (waiting) reason = waiting;
    else if (isRecord(terminated)) reason = terminationReason(terminated);
    else if (valueAt(status, 'ready') === true && isRunning(status)) isSomeRunning = true;
  }
  if (reason !== 'Completed' || !isSomeRunning) return reason;
  const ready = listAt(pod, 'status', 'conditions').find((condition) => stringAt(condition, 'type') === 'Ready');
  return stringAt(ready, 'status') === 'True' ? 'Running' : 'NotReady';
}
