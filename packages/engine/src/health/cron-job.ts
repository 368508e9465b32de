import { type KubeObject, listAt, stringAt, valueAt } from '@fairlead/kube';
import { type Health, health } from './status.ts';

/** A CronJob counts as Degraded only when its last run is known to have failed. */
export function cronJobHealth(object: KubeObject): Health {
  if (valueAt(object, 'spec', 'suspend') === true) return health('Healthy', 'CronJob is Suspended');
  if (valueAt(object, 'status') === undefined) return health('Progressing', 'Waiting for CronJob');
  const scheduled = stringAt(object, 'status', 'lastScheduleTime');
  const succeeded = stringAt(object, 'status', 'lastSuccessfulTime');
  if (!scheduled) return health('Healthy', 'CronJob has not been scheduled yet');
  if (!succeeded) return health('Healthy', 'The CronJob never completed successfully. It may not be healthy');
  if (listAt(object, 'status', 'active').length > 0)
    return health('Healthy', 'The job is running. Its last execution may not have been successful');
  if (succeeded < scheduled) return health('Degraded', 'CronJob has not completed its last execution successfully');
  return health('Healthy', 'CronJob has completed its last execution successfully');
}
