// A pod, and what of it may change.
import { equalJson, type KubeObject, listAt, recordAt } from '@fairlead/kube/object';
import type { FieldError } from '../resource-type.ts';
import { validatePodSpec } from './pod-spec.ts';

export function validatePod(pod: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  return previous ? podUpdateErrors(pod, previous) : validatePodSpec(pod['spec'], 'spec');
}

const podUpdateRule =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** A pod is what it is; only a few of its fields may change once it is there. Where it runs is told once. */
function podUpdateErrors(pod: KubeObject, previous: KubeObject): readonly FieldError[] {
  const [next, before] = [recordAt(pod, 'spec'), recordAt(previous, 'spec')];
  const fixed = (spec: Record<string, unknown>) => {
    const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, nodeName, ...rest } = spec;
    const withoutImages = (list: string) =>
      listAt(spec, list).map((container) => ({ ...recordAt(container), image: '' }));
    const place = before['nodeName'] ? { nodeName } : {};
    return {
      ...rest,
      ...place,
      containers: withoutImages('containers'),
      initContainers: withoutImages('initContainers'),
    };
  };
  const kept = listAt(next, 'tolerations');
  const hasLost = listAt(before, 'tolerations').some((one) => !kept.some((other) => equalJson(one, other)));
  if (!hasLost && equalJson(fixed(next), fixed(before))) return [];
  return [{ type: 'Forbidden', field: 'spec', message: podUpdateRule }];
}
