// The scale subresource: one number seen through a common form.
import { formatSelector, isRecord, type KubeObject, numberAt, selectorOf, valueAt } from '@fairlead/kube/object';
import { invalid, noSuchPath } from '../objects/index.ts';
import type { ResourceType } from '../registry/index.ts';

/** What a body sent to a scale is, when it does not say. */
export const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale', isBuiltIn: true } as const;

export function scaleOf(object: KubeObject, { scale }: ResourceType): Record<string, unknown> {
  if (!scale) throw noSuchPath();
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = numberAt(object, ...scale.specReplicas) ?? 0;
  const selector = valueAt(object, ...scale.selector);
  const text = typeof selector === 'string' ? selector : isRecord(selector) ? formatSelector(selectorOf(selector)) : '';
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // Zero is not written in a wish, but it is in what there is.
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(object, ...scale.statusReplicas) ?? 0, ...(text === '' ? {} : { selector: text }) },
  };
}

/** `object` with the replicas that `wanted` (a Scale) asks for, and its version as the condition. */
export function withReplicas(object: KubeObject, wanted: KubeObject, { scale }: ResourceType): KubeObject {
  if (!scale) throw noSuchPath();
  const replicas = numberAt(wanted, 'spec', 'replicas') ?? 0;
  const { name } = object.metadata;
  if (replicas < 0) {
    const error = { field: 'spec.replicas', message: 'must be greater than or equal to 0', value: replicas } as const;
    throw invalid({ ...scaleKind, plural: 'scales' }, name, [{ type: 'Invalid', ...error }]);
  }
  const { resourceVersion } = wanted.metadata;
  const changed = setAt(object, scale.specReplicas, replicas) as KubeObject; // only a number deep inside differs
  return {
    ...changed,
    metadata: { ...object.metadata, resourceVersion: resourceVersion ?? object.metadata.resourceVersion },
  };
}

function setAt(value: unknown, [name, ...rest]: readonly string[], leaf: unknown): unknown {
  if (name === undefined) return leaf;
  const record = isRecord(value) ? value : {};
  return { ...record, [name]: setAt(record[name], rest, leaf) };
}
