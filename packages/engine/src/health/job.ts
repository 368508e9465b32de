import { type KubeObject, listAt, stringAt } from '@fairlead/kube';
import { type Health, health } from './status.ts';

export function jobHealth(job: KubeObject): Health {
  const conditions = listAt(job, 'status', 'conditions');
  const find = (type: string) =>
    conditions.find((condition) => stringAt(condition, 'type') === type && stringAt(condition, 'status') === 'True');
  const failed = find('Failed');
  if (failed) return health('Degraded', stringAt(failed, 'message'));
  const suspended = find('Suspended');
  if (suspended) return health('Suspended', stringAt(suspended, 'message'));
  const complete = find('Complete');
  if (complete) return health('Healthy', stringAt(complete, 'message'));
  return health('Progressing');
}
