// Phase, wave, kind, name: the order in which things are applied. Data and pure functions.
import { syncWaveAnnotation } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';

const kinds = [
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
];

/** Kinds that are not in the list come last. */
export function kindRank(kind: string): number {
  const rank = kinds.indexOf(kind);
  return rank < 0 ? kinds.length : rank;
}

const helmWeightAnnotation = 'helm.sh/hook-weight';

export function waveOf(object: KubeObject | undefined): number {
  const annotations = object?.metadata.annotations ?? {};
  for (const name of [syncWaveAnnotation, helmWeightAnnotation]) {
    const text = annotations[name];
    if (text !== undefined && /^[-+]?\d+$/.test(text.trim())) return Number.parseInt(text, 10);
  }
  return 0;
}

/** Prune waves run mirrored: what was made last goes first. */
export function mirrorWaves(waves: readonly number[]): ReadonlyMap<number, number> {
  const distinct = [...new Set(waves)].sort((a, b) => a - b);
  return new Map(distinct.map((wave, index) => [wave, distinct[distinct.length - 1 - index] ?? wave]));
}
