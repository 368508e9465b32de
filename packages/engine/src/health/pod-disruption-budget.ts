import type { KubeObject } from '@fairlead/kube';
import { conditionsOf } from './conditions.ts';
import { type Health, health } from './status.ts';

/** Too few pods is a state that people choose, so it is no fault. */
export function podDisruptionBudgetHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object);
  const bad = conditions.find(({ status, reason }) => status === 'False' && reason !== 'InsufficientPods');
  const told = bad ?? conditions.at(-1);
  if (!told) return health('Progressing', 'Waiting for status');
  return health(bad ? 'Degraded' : 'Healthy', `PodDisruptionBudget has ${told.reason}`);
}
