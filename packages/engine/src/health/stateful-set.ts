import { isRecord, type KubeObject, numberAt, stringAt, valueAt } from '@fairlead/kube';
import { type Health, health, healthy } from './status.ts';

export function statefulSetHealth(set: KubeObject): Health {
  const observed = numberAt(set, 'status', 'observedGeneration') ?? 0;
  if (observed === 0 || (set.metadata.generation ?? 0) > observed) {
    return health('Progressing', 'Waiting for statefulset spec update to be observed...');
  }
  const wanted = numberAt(set, 'spec', 'replicas');
  const count = (field: string) => numberAt(set, 'status', field) ?? 0;
  const ready = count('readyReplicas');
  if (wanted !== undefined && ready < wanted) {
    return health('Progressing', `Waiting for ${wanted - ready} pods to be ready...`);
  }
  const strategy = stringAt(set, 'spec', 'updateStrategy', 'type');
  const rollingUpdate = valueAt(set, 'spec', 'updateStrategy', 'rollingUpdate');
  if (strategy === 'RollingUpdate' && isRecord(rollingUpdate)) {
    const partition = numberAt(rollingUpdate, 'partition');
    const toUpdate = (wanted ?? 0) - (partition ?? 0);
    if (wanted !== undefined && partition !== undefined && count('updatedReplicas') < toUpdate) {
      const done = `${count('updatedReplicas')} out of ${toUpdate} new pods have been updated...`;
      return health('Progressing', `Waiting for partitioned roll out to finish: ${done}`);
    }
    return health(
      'Healthy',
      `partitioned roll out complete: ${count('updatedReplicas')} new pods have been updated...`,
    );
  }
  if (strategy === 'OnDelete') {
    return health('Healthy', `statefulset has ${ready} ready pods`);
  }
  const updateRevision = stringAt(set, 'status', 'updateRevision') ?? '';
  if (updateRevision !== (stringAt(set, 'status', 'currentRevision') ?? '')) {
    const done = `${count('updatedReplicas')} pods at revision ${updateRevision}...`;
    return health('Progressing', `waiting for statefulset rolling update to complete ${done}`);
  }
  return healthy;
}
