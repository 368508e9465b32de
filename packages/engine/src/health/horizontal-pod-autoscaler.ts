import { type KubeObject, listAt, stringAt } from '@fairlead/kube';
import { type Health, health } from './status.ts';

const degradedReasons: Readonly<Record<string, readonly string[]>> = {
  AbleToScale: ['FailedGetScale', 'FailedUpdateScale'],
  ScalingActive: [
    'FailedGetResourceMetric',
    'FailedGetObjectMetric',
    'FailedGetPodsMetric',
    'FailedGetExternalMetric',
    'FailedComputeMetricsReplicas',
    'InvalidSelector',
  ],
};
/** autoscaling/v1 has no conditions field; its API server puts them here. */
const conditionsAnnotation = 'autoscaling.alpha.kubernetes.io/conditions';

export function horizontalPodAutoscalerHealth(autoscaler: KubeObject): Health {
  const conditions = conditionsOf(autoscaler).map((condition) => ({
    type: stringAt(condition, 'type') ?? '',
    status: stringAt(condition, 'status') ?? '',
    reason: stringAt(condition, 'reason') ?? '',
    message: stringAt(condition, 'message'),
  }));
  const degraded = conditions.find(
    ({ type, status, reason }) => status === 'False' && degradedReasons[type]?.includes(reason),
  );
  if (degraded) return health('Degraded', degraded.message);
  const working = conditions.find(
    ({ type, status }) => status === 'True' && (type === 'AbleToScale' || type === 'ScalingLimited'),
  );
  return working ? health('Healthy', working.message) : health('Progressing', 'Waiting to Autoscale');
}

function conditionsOf(autoscaler: KubeObject): readonly unknown[] {
  const conditions = listAt(autoscaler, 'status', 'conditions');
  const text = autoscaler.metadata.annotations?.[conditionsAnnotation];
  if (conditions.length > 0 || text === undefined) return conditions;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return []; // written by others; unreadable means unknown, which is "waiting"
  }
}
