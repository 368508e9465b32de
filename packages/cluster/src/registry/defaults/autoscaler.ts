// HorizontalPodAutoscalers.
import { type KubeObject, recordAt } from '@fairlead/kube/object';
import { metricsAnnotation } from '../autoscaler-versions.ts';
import { fill, mapMember } from './fill.ts';

/** Without a word about metrics the processor is looked at; who says how one way behaves gets the usual for the rest. */
export function defaultAutoscaler(object: KubeObject): KubeObject {
  const target = { type: 'Utilization', averageUtilization: 80 };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  const spec = fill(recordAt(object, 'spec'), { minReplicas: 1, metrics });
  return { ...object, spec: mapMember(spec, 'behavior', defaultBehaviour) };
}

/** Of autoscaling/v1, where other metrics stand in an annotation. */
export function defaultFirstAutoscaler(object: KubeObject): KubeObject {
  const hasOthers = object.metadata.annotations?.[metricsAnnotation] !== undefined;
  const processor = hasOthers ? {} : { targetCPUUtilizationPercentage: 80 };
  return { ...object, spec: fill(recordAt(object, 'spec'), { minReplicas: 1, ...processor }) };
}

const usual = { selectPolicy: 'Max' };
const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
const scaleUp = {
  ...usual,
  stabilizationWindowSeconds: 0,
  policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent],
};
const scaleDown = { ...usual, policies: [percent] };

function defaultBehaviour(given: unknown): Record<string, unknown> {
  const both = fill(given, { scaleUp: {}, scaleDown: {} });
  const up = mapMember(both, 'scaleUp', (rules) => fill(rules, scaleUp));
  return mapMember(up, 'scaleDown', (rules) => fill(rules, scaleDown));
}
