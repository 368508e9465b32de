// Argo Rollouts. Since 1.0 the controller writes its own phase; the rest is for older ones.
import { isRecord, type KubeObject, listAt, numberAt, recordAt, stringAt, valueAt } from '@fairlead/kube';
import { conditionsOf } from '../conditions.ts';
import { type Health, health } from '../status.ts';

export function rolloutHealth(object: KubeObject): Health {
  if (!isObserved(object)) return health('Progressing', 'Waiting for rollout spec update to be observed');
  const phase = stringAt(object, 'status', 'phase');
  if (phase) {
    const message = stringAt(object, 'status', 'message');
    if (phase === 'Paused') return health('Suspended', message);
    const known = (['Healthy', 'Degraded', 'Progressing'] as const).find((status) => status === phase);
    return known ? health(known, message) : health('Unknown', `unknown phase ${phase}`);
  }
  const failed = conditionsOf(object).find(
    ({ type, reason }) =>
      type === 'InvalidSpec' ||
      (type === 'Progressing' && (reason === 'RolloutAborted' || reason === 'ProgressDeadlineExceeded')),
  );
  if (failed) return health('Degraded', failed.message);
  const isPaused = listAt(object, 'status', 'pauseConditions').length > 0 || valueAt(object, 'spec', 'paused') === true;
  if (isPaused) return health('Suspended', 'Rollout is paused');
  const current = stringAt(object, 'status', 'currentPodHash');
  if (current === undefined)
    return health('Progressing', 'Waiting for rollout to finish: status has not been reconciled.');
  return replicasHealth(object) ?? strategyHealth(object, current) ?? health('Healthy');
}

function isObserved(object: KubeObject): boolean {
  if (!isRecord(object['status'])) return false;
  const { generation = 0, annotations } = object.metadata;
  const observed = Number(valueAt(object, 'status', 'observedGeneration') ?? Number.NaN);
  // Up to 0.9 the field held a hash.
  if (!Number.isNaN(observed) && observed < generation) return false;
  if (valueAt(object, 'spec', 'workloadRef') === undefined || !annotations) return true;
  const wanted = annotations['rollout.argoproj.io/workload-generation'];
  const seen = valueAt(object, 'status', 'workloadObservedGeneration');
  return String(wanted ?? '') === String(seen ?? '');
}

function replicasHealth(object: KubeObject): Health | undefined {
  const updated = numberAt(object, 'status', 'updatedReplicas') ?? 0;
  if (updated < (numberAt(object, 'spec', 'replicas') ?? 1))
    return health('Progressing', 'Waiting for roll out to finish: More replicas need to be updated');
  if ((numberAt(object, 'status', 'availableReplicas') ?? 0) < updated)
    return health('Progressing', 'Waiting for roll out to finish: updated replicas are still becoming available');
  return undefined;
}

function strategyHealth(object: KubeObject, current: string): Health | undefined {
  const stable = stringAt(object, 'status', 'stableRS') ?? stringAt(object, 'status', 'canary', 'stableRS') ?? '';
  const strategy = recordAt(object, 'spec', 'strategy');
  if (strategy['blueGreen'] !== undefined) {
    if (stringAt(object, 'status', 'blueGreen', 'activeSelector') !== current)
      return health('Progressing', 'active service cutover pending');
    if (stable !== '' && stable !== current) return health('Progressing', 'waiting for analysis to complete');
  } else if (strategy['canary'] !== undefined) {
    const updated = numberAt(object, 'status', 'updatedReplicas') ?? 0;
    if ((numberAt(object, 'status', 'replicas') ?? 0) > updated)
      return health('Progressing', 'Waiting for roll out to finish: old replicas are pending termination');
    if (stable !== current) return health('Progressing', 'Waiting for rollout to finish steps');
  }
  return undefined;
}
