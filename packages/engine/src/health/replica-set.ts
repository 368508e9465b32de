import { type KubeObject, listAt, numberAt, stringAt } from '@fairlead/kube';
import { type Health, health, healthy } from './status.ts';

export function replicaSetHealth(set: KubeObject): Health {
  if ((set.metadata.generation ?? 0) > (numberAt(set, 'status', 'observedGeneration') ?? 0)) {
    return health(
      'Progressing',
      'Waiting for rollout to finish: observed replica set generation less than desired generation',
    );
  }
  const conditions = listAt(set, 'status', 'conditions');
  const failure = conditions.find((condition) => stringAt(condition, 'type') === 'ReplicaFailure');
  if (stringAt(failure, 'status') === 'True') return health('Degraded', stringAt(failure, 'message'));
  const wanted = numberAt(set, 'spec', 'replicas');
  const available = numberAt(set, 'status', 'availableReplicas') ?? 0;
  if (wanted !== undefined && available < wanted) {
    return health(
      'Progressing',
      `Waiting for rollout to finish: ${available} out of ${wanted} new replicas are available...`,
    );
  }
  return healthy;
}
