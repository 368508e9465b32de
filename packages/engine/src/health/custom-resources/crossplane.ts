import { isRecord, type KubeObject, valueAt } from '@fairlead/kube';
import { conditionsOf } from '../conditions.ts';
import { type Health, health } from '../status.ts';

const upToDate = health('Healthy', 'Resource is up-to-date.');
const done = ['Ready', 'Healthy', 'Offered', 'Established', 'ValidPipeline', 'RevisionHealthy'];
const withoutStatus = [
  'Composition',
  'CompositionRevision',
  'DeploymentRuntimeConfig',
  'ClusterProviderConfig',
  'ProviderConfig',
  'ProviderConfigUsage',
  'ControllerConfig',
];

/** Managed resources of whatever provider; `ready`: conditions that mean it is there. */
export function crossplaneHealth(ready: readonly string[] = done): (object: KubeObject) => Health {
  return (object) => {
    const { status } = object;
    if (!isRecord(status)) return upToDate;
    if (Object.keys(status).length === 0 && withoutStatus.includes(object.kind)) return upToDate;
    if (status['conditions'] === undefined) {
      const isUsed = object.kind.endsWith('ProviderConfig') && valueAt(status, 'users') !== undefined;
      return isUsed ? health('Healthy', 'Resource is in use.') : health('Progressing', 'Provisioning ...');
    }
    const conditions = conditionsOf(object);
    const failed = conditions.find(
      (one) => one.status === 'False' && (one.type === 'LastAsyncOperation' || one.type === 'Synced'),
    );
    if (failed) return health('Degraded', failed.message);
    const isReady = conditions.some((one) => one.status === 'True' && ready.includes(one.type));
    return isReady ? upToDate : health('Progressing', 'Provisioning ...');
  };
}
