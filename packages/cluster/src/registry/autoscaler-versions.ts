// HorizontalPodAutoscalers of autoscaling/v1, which knows the processor only. What v2 says beyond that stands in the annotations
// that Kubernetes has for it, so that who reads and writes the old version loses nothing. Behaviour is written as Kubernetes
// does; other metrics in the form of v2, where Kubernetes has one of its own.
import { isRecord, type KubeObject, listAt, recordAt, valueAt } from '@fairlead/kube/object';

type Fields = Record<string, unknown>;
export const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const behaviourAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';

/** Is it what v1 has a member for? */
const isProcessor = (metric: unknown) =>
  valueAt(metric, 'type') === 'Resource' &&
  valueAt(metric, 'resource', 'name') === 'cpu' &&
  valueAt(metric, 'resource', 'target', 'averageUtilization') !== undefined;

export function firstAutoscaler(stored: KubeObject): KubeObject {
  const { metrics: _metrics, behavior, ...spec } = recordAt(stored, 'spec');
  const all = listAt(stored, 'spec', 'metrics');
  const processor = all.find(isProcessor);
  const others = all.filter((metric) => metric !== processor);
  const annotations = {
    ...stored.metadata.annotations,
    ...(others.length > 0 ? { [metricsAnnotation]: JSON.stringify(others) } : {}),
    ...(isRecord(behavior) ? { [behaviourAnnotation]: JSON.stringify(inGo(behavior)) } : {}),
  };
  const percentage = valueAt(processor, 'resource', 'target', 'averageUtilization');
  const { currentMetrics: _current, ...status } = recordAt(stored, 'status');
  return {
    ...withAnnotations(stored, annotations),
    apiVersion: 'autoscaling/v1',
    spec: { ...spec, ...(percentage === undefined ? {} : { targetCPUUtilizationPercentage: percentage }) },
    status: { currentReplicas: 0, desiredReplicas: 0, ...status },
  };
}

export function storedAutoscaler(first: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage: percentage, ...spec } = recordAt(first, 'spec');
  const {
    [metricsAnnotation]: metrics,
    [behaviourAnnotation]: behaviour,
    ...annotations
  } = first.metadata.annotations ?? {};
  const target = { type: 'Utilization', averageUtilization: percentage };
  const processor = percentage === undefined ? [] : [{ type: 'Resource', resource: { name: 'cpu', target } }];
  const all = [...processor, ...(parsed(metrics, Array.isArray) ?? [])];
  const behavior = parsed(behaviour, isRecord);
  const { currentReplicas, currentCPUUtilizationPercentage: _current, ...status } = recordAt(first, 'status');
  return {
    ...withAnnotations(first, annotations),
    apiVersion: 'autoscaling/v2',
    spec: {
      ...spec,
      ...(all.length > 0 ? { metrics: all } : {}),
      ...(behavior ? { behavior: fromGo(behavior) } : {}),
    },
    status: { currentMetrics: null, desiredReplicas: 0, ...status, ...(currentReplicas ? { currentReplicas } : {}) },
  };
}

function withAnnotations(object: KubeObject, annotations: Record<string, string>): KubeObject {
  const { annotations: _given, ...metadata } = object.metadata;
  const kept = Object.keys(annotations).length > 0 ? { annotations } : {};
  return { ...object, metadata: { ...metadata, ...kept } as KubeObject['metadata'] }; // name is still there
}

/** An annotation that people changed by hand may hold anything. */
function parsed<T>(text: string | undefined, is: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return is(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const renamed = (rename: (name: string) => string) => {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), visit(inner)]));
  };
  return visit;
};
/** The annotation is written from a type without names for JSON. */
const inGo = (behaviour: Fields) => {
  const policy = ({ type, value, periodSeconds }: Fields) => ({ type, value, periodSeconds });
  const rules = (way: Fields) => ({
    stabilizationWindowSeconds: way['stabilizationWindowSeconds'] ?? null,
    selectPolicy: way['selectPolicy'],
    policies: listAt(way, 'policies').filter(isRecord).map(policy),
  });
  const { scaleUp, scaleDown } = behaviour;
  return renamed((name) => name.charAt(0).toUpperCase() + name.slice(1))({
    scaleUp: rules(recordAt(scaleUp)),
    scaleDown: rules(recordAt(scaleDown)),
  });
};
const fromGo = renamed((name) => name.charAt(0).toLowerCase() + name.slice(1));
