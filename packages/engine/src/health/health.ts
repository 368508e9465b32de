// How well a live object is, as Argo CD judges it: one kind, one file. Pure.
//
// An object that is being deleted is Progressing whatever its kind; a kind without a check has no health, which counts
// as healthy and is not shown. Order of severity: `healthCodes` of the contracts.
import { gvkOf, type KubeObject } from '@fairlead/kube';
import { apiServiceHealth } from './api-service.ts';
import { cronJobHealth } from './cron-job.ts';
import { customResourceDefinitionHealth } from './custom-resource-definition.ts';
import { customResourceCheck } from './custom-resources/index.ts';
import { daemonSetHealth } from './daemon-set.ts';
import { deploymentHealth } from './deployment.ts';
import { horizontalPodAutoscalerHealth } from './horizontal-pod-autoscaler.ts';
import { ingressHealth } from './ingress.ts';
import { jobHealth } from './job.ts';
import { persistentVolumeClaimHealth } from './persistent-volume-claim.ts';
import { podHealth } from './pod.ts';
import { podDisruptionBudgetHealth } from './pod-disruption-budget.ts';
import { replicaSetHealth } from './replica-set.ts';
import { serviceHealth } from './service.ts';
import { statefulSetHealth } from './stateful-set.ts';
import { compareHealth, type Health, health } from './status.ts';

const checks: Readonly<Record<string, (object: KubeObject) => Health>> = {
  '/Pod': podHealth,
  '/Service': serviceHealth,
  '/PersistentVolumeClaim': persistentVolumeClaimHealth,
  'apps/Deployment': deploymentHealth,
  'apps/ReplicaSet': replicaSetHealth,
  'apps/StatefulSet': statefulSetHealth,
  'apps/DaemonSet': daemonSetHealth,
  'batch/Job': jobHealth,
  'batch/CronJob': cronJobHealth,
  'policy/PodDisruptionBudget': podDisruptionBudgetHealth,
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinitionHealth,
  'extensions/Ingress': ingressHealth,
  'networking.k8s.io/Ingress': ingressHealth,
  'autoscaling/HorizontalPodAutoscaler': horizontalPodAutoscalerHealth,
  'apiregistration.k8s.io/APIService': apiServiceHealth,
};

const hookFinalizer = 'argocd.argoproj.io/hook-finalizer';

export function healthOf(object: KubeObject): Health | undefined {
  if (object.metadata.deletionTimestamp && !object.metadata.finalizers?.includes(hookFinalizer)) {
    return health('Progressing', 'Pending deletion');
  }
  const { group, kind } = gvkOf(object);
  return (checks[`${group}/${kind}`] ?? customResourceCheck(group, kind))?.(object);
}

interface ResourceHealth {
  readonly name: string;
  /** undefined: no live object. */
  readonly health: Health | undefined;
  readonly isLive: boolean;
}

const namedAtMost = 3;

/**
 * The health of an application: the worst of its resources. Missing ones do not worsen it, unless nothing is live at
 * all.
 */
export function worstHealth(resources: readonly ResourceHealth[]): Health {
  if (resources.length > 0 && resources.every((resource) => !resource.isLive)) return health('Missing');
  let worst: Health = { status: 'Healthy' };
  for (const { health: own } of resources) if (own && compareHealth(own.status, worst.status) > 0) worst = own;
  if (worst.status === 'Healthy') return { status: 'Healthy' };
  const causes = resources.filter((resource) => resource.health?.status === worst.status).map(({ name }) => name);
  const more = causes.length > namedAtMost ? ` and ${causes.length - namedAtMost} more` : '';
  return health(worst.status, `Caused by ${causes.slice(0, namedAtMost).join(', ')}${more}`);
}
