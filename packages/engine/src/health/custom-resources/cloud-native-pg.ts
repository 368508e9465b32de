import { type KubeObject, stringAt, valueAt } from '@fairlead/kube';
import { conditionsOf } from '../conditions.ts';
import { type Health, health } from '../status.ts';

/** What the operator writes as phase, by how Argo CD judges it. */
const phases: Readonly<Record<'Healthy' | 'Progressing' | 'Degraded' | 'Suspended', readonly string[]>> = {
  Healthy: ['Cluster in healthy state'],
  Progressing: [
    'Setting up primary',
    'Creating a new replica',
    'Upgrading cluster',
    'Waiting for the instances to become active',
    'Promoting to primary cluster',
  ],
  Degraded: [
    'Switchover in progress',
    'Failing over',
    'Upgrading Postgres major version',
    'Cluster upgrade delayed',
    'Waiting for user action',
    'Primary instance is being restarted in-place',
    'Primary instance is being restarted without a switchover',
    'Cluster cannot execute instance online upgrade due to missing architecture binary',
    'Online upgrade in progress',
    'Applying configuration',
  ],
  Suspended: [
    'Unable to create required cluster objects',
    'Cluster cannot proceed to reconciliation due to an unknown plugin being required',
    'Cluster has incomplete or invalid image catalog',
    'Cluster is unrecoverable and needs manual intervention',
  ],
};

export function cloudNativePgHealth(object: KubeObject): Health {
  if (object.metadata.annotations?.['cnpg.io/reconciliationLoop'] === 'disabled')
    return health('Suspended', 'Cluster reconciliation is suspended');
  const reason = stringAt(object, 'status', 'phaseReason');
  if (valueAt(object, 'status', 'conditions') === undefined) return health('Progressing', reason);
  const hibernation = conditionsOf(object).find(({ type }) => type === 'cnpg.io/hibernation');
  if (hibernation) return health(hibernation.status === 'True' ? 'Suspended' : 'Degraded', hibernation.message);
  const phase = stringAt(object, 'status', 'phase') ?? '';
  const found = (Object.keys(phases) as (keyof typeof phases)[]).find((status) => phases[status].includes(phase));
  return health(found ?? 'Unknown', reason);
}
