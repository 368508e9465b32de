import { type KubeObject, listAt, numberAt, stringAt, valueAt } from '@fairlead/kube';
import { type Health, health, healthy } from './status.ts';

export function deploymentHealth(deployment: KubeObject): Health {
  if (valueAt(deployment, 'spec', 'paused') === true) return health('Suspended', 'Deployment is paused');
  const name = JSON.stringify(deployment.metadata.name);
  const generation = deployment.metadata.generation ?? 0;
  if (generation > (numberAt(deployment, 'status', 'observedGeneration') ?? 0)) {
    return health(
      'Progressing',
      'Waiting for rollout to finish: observed deployment generation less than desired generation',
    );
  }
  const conditions = listAt(deployment, 'status', 'conditions');
  const progressing = conditions.find((condition) => stringAt(condition, 'type') === 'Progressing');
  if (stringAt(progressing, 'reason') === 'ProgressDeadlineExceeded') {
    return health('Degraded', `Deployment ${name} exceeded its progress deadline`);
  }
  const wanted = numberAt(deployment, 'spec', 'replicas');
  const count = (field: string) => numberAt(deployment, 'status', field) ?? 0;
  const [updated, replicas, available] = [count('updatedReplicas'), count('replicas'), count('availableReplicas')];
  if (wanted !== undefined && updated < wanted) {
    return progress(`${updated} out of ${wanted} new replicas have been updated...`);
  }
  if (replicas > updated) return progress(`${replicas - updated} old replicas are pending termination...`);
  if (available < updated) return progress(`${available} of ${updated} updated replicas are available...`);
  return healthy;
}

const progress = (rest: string) => health('Progressing', `Waiting for rollout to finish: ${rest}`);
