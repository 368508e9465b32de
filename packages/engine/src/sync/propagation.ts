// How an object is deleted. Foreground deletion means that it stays until the garbage collector has seen all its dependents
// go; an object that has none would only wait for the collector, which on a busy cluster, or one whose custom kinds change,
// can take a minute. Such objects are deleted at once: what is gone in the end is the same.
import { gvkOf, type KubeObject } from '@fairlead/kube';
import type { SyncOptions } from './sync-options.ts';

type Policy = SyncOptions['propagationPolicy'];

/** Kinds for which no controller of Kubernetes makes anything. */
const leafKinds = new Set([
  '/ConfigMap',
  '/LimitRange',
  '/PersistentVolumeClaim',
  '/ResourceQuota',
  '/Secret',
  '/ServiceAccount',
  'autoscaling/HorizontalPodAutoscaler',
  'networking.k8s.io/Ingress',
  'networking.k8s.io/IngressClass',
  'networking.k8s.io/NetworkPolicy',
  'policy/PodDisruptionBudget',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/StorageClass',
]);

export function propagationOf(
  object: KubeObject,
  policy: Policy,
  dependentsOf: (uid: string) => readonly KubeObject[],
): Policy {
  const { group, kind } = gvkOf(object);
  if (policy !== 'Foreground' || !leafKinds.has(`${group}/${kind}`)) return policy;
  return dependentsOf(object.metadata.uid ?? '').length > 0 ? policy : 'Background';
}
