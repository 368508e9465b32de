// How a pod says on which node it must run before it is there: the node affinity that the DaemonSet controller writes. Pure.
import { type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

export function withAssignedNode(spec: Record<string, unknown>, node: string): Record<string, unknown> {
  const affinity = recordAt(spec, 'affinity');
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const nodeAffinity = {
    ...recordAt(affinity, 'nodeAffinity'),
    [required]: { nodeSelectorTerms: [{ matchFields }] },
  };
  return { ...spec, affinity: { ...affinity, nodeAffinity } };
}

/** Where the pod is or must go; '' when any node will do. */
export function assignedNode(pod: KubeObject): string {
  const [term] = listAt(pod, 'spec', 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
  const [field] = listAt(term, 'matchFields');
  const [name] = listAt(field, 'values');
  return stringAt(pod, 'spec', 'nodeName') || (typeof name === 'string' ? name : '');
}
