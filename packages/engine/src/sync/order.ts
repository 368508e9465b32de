// Phase, wave, kind, name: the order in which things are applied. Data and pure functions.
import { syncWaveAnnotation } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';

export type SyncPhase = 'PreSync' | 'Sync' | 'PostSync' | 'SyncFail';
export const syncPhases: readonly SyncPhase[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail'];

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

const hookAnnotation = 'argocd.argoproj.io/hook';
const helmHookAnnotation = 'helm.sh/hook';

/** The hook types a resource names, Argo CD's own before Helm's; undefined for ordinary resources. */
export function hookTypes(object: KubeObject): readonly string[] | undefined {
  const annotations = object.metadata.annotations ?? {};
  const text = annotations[hookAnnotation] ?? annotations[helmHookAnnotation];
  if (text === undefined || text.trim() === 'crd-install') return undefined;
  return text.split(',').map((type) => type.trim());
}

/** `Skip` alone: the resource is in the source but not to be applied. */
export const isSkipped = (object: KubeObject): boolean => {
  const types = hookTypes(object);
  return types?.length === 1 && types[0] === 'Skip';
};

/** Prune waves run mirrored: what was made last goes first. */
export function mirrorWaves(waves: readonly number[]): ReadonlyMap<number, number> {
  const distinct = [...new Set(waves)].sort((a, b) => a - b);
  return new Map(distinct.map((wave, index) => [wave, distinct[distinct.length - 1 - index] ?? wave]));
}
