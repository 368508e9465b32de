import { type KubeObject, numberAt, stringAt } from '@fairlead/kube';
import { type Health, health, healthy } from './status.ts';

export function daemonSetHealth(set: KubeObject): Health {
  const count = (field: string) => numberAt(set, 'status', field) ?? 0;
  if ((set.metadata.generation ?? 0) > count('observedGeneration')) {
    return health(
      'Progressing',
      'Waiting for rollout to finish: observed daemon set generation less than desired generation',
    );
  }
  const [updated, desired] = [count('updatedNumberScheduled'), count('desiredNumberScheduled')];
  if (stringAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') {
    return health('Healthy', `daemon set ${updated} out of ${desired} new pods have been updated`);
  }
  const name = JSON.stringify(set.metadata.name);
  if (updated < desired) {
    return progress(name, `${updated} out of ${desired} new pods have been updated...`);
  }
  const available = count('numberAvailable');
  if (available < desired) return progress(name, `${available} of ${desired} updated pods are available...`);
  return healthy;
}

const progress = (name: string, rest: string) =>
  health('Progressing', `Waiting for daemon set ${name} rollout to finish: ${rest}`);
