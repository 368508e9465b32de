import { isRecord, type KubeObject, listAt, numberAt, recordAt, stringAt } from '@fairlead/kube/object';
import { ageColumn, column, nameColumn, wide } from './columns.ts';
import type { Column } from './resource-type.ts';

const statuses = (pod: KubeObject) => listAt(pod, 'status', 'containerStatuses').filter(isRecord);

function readyText(pod: KubeObject): string {
  const ready = statuses(pod).filter((status) => status['ready'] === true).length;
  return `${ready}/${listAt(pod, 'spec', 'containers').length}`;
}

/** The most telling word: why a container waits or ended, else the phase. */
export function podStatusText(pod: KubeObject): string {
  if (pod.metadata.deletionTimestamp) return 'Terminating';
  const reasons = statuses(pod).map(
    (status) => stringAt(status, 'state', 'waiting', 'reason') ?? stringAt(status, 'state', 'terminated', 'reason'),
  );
  return (
    reasons.findLast((reason) => reason !== undefined) ??
    stringAt(pod, 'status', 'reason') ??
    stringAt(pod, 'status', 'phase') ??
    'Unknown'
  );
}

const restarts = (pod: KubeObject) =>
  statuses(pod).reduce((sum, status) => sum + (numberAt(status, 'restartCount') ?? 0), 0);

export const podColumns: readonly Column[] = [
  nameColumn,
  column('Ready', readyText),
  column('Status', podStatusText),
  column('Restarts', (pod) => String(restarts(pod))),
  ageColumn,
  wide('IP', (pod) => stringAt(pod, 'status', 'podIP') ?? '<none>'),
  wide('Node', (pod) => stringAt(pod, 'spec', 'nodeName') ?? '<none>'),
  wide('Nominated Node', (pod) => stringAt(pod, 'status', 'nominatedNodeName') ?? '<none>'),
  wide('Readiness Gates', (pod) => (Object.keys(recordAt(pod, 'spec', 'readinessGates')).length === 0 ? '<none>' : '')),
];
