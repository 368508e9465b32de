// The pods of a StatefulSet and the claims they bring along. Pure.
import { isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import { podFromTemplate } from '../pods.ts';
import { templateOf } from '../revisions.ts';
import { revisionLabel } from './steps.ts';

interface Place {
  readonly ordinal: number;
  readonly revision: KubeObject;
}

const claimTemplates = (set: KubeObject) => listAt(set, 'spec', 'volumeClaimTemplates').filter(isRecord);
const claimName = (template: unknown, set: KubeObject, ordinal: number) =>
  `${stringAt(template, 'metadata', 'name')}-${set.metadata.name}-${ordinal}`;

export function podAt(set: KubeObject, { ordinal, revision }: Place): KubeObject {
  const pod = podFromTemplate({ ...set, spec: { ...recordAt(set, 'spec'), template: templateOf(revision) } });
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = {
    ...pod.metadata.labels,
    'apps.kubernetes.io/pod-index': String(ordinal),
    [revisionLabel]: revision.metadata.name,
    'statefulset.kubernetes.io/pod-name': name,
  };
  const spec = recordAt(pod, 'spec');
  const claimed = claimTemplates(set).map((template) => ({
    name: stringAt(template, 'metadata', 'name'),
    persistentVolumeClaim: { claimName: claimName(template, set, ordinal) },
  }));
  const others = listAt(spec, 'volumes').filter(
    (volume) => !claimed.some(({ name: own }) => own === stringAt(volume, 'name')),
  );
  const volumes = [...claimed, ...others];
  const subdomain = stringAt(set, 'spec', 'serviceName');
  return {
    ...pod,
    metadata: { ...pod.metadata, name, labels },
    spec: {
      ...spec,
      hostname: name,
      ...(subdomain ? { subdomain } : {}),
      ...(volumes.length > 0 ? { volumes } : {}),
    },
  };
}

/** Claims outlive their pod and, unless somebody removes them, the set. */
export function claimsAt(set: KubeObject, ordinal: number): readonly KubeObject[] {
  const matchLabels = recordAt(set, 'spec', 'selector', 'matchLabels') as Record<string, string>; // label values are strings
  return claimTemplates(set).map((template) => {
    const { labels, annotations } = recordAt(template, 'metadata') as Partial<KubeObject['metadata']>; // a template's metadata is ObjectMeta
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: claimName(template, set, ordinal),
        namespace: set.metadata.namespace,
        labels: { ...labels, ...matchLabels },
        annotations,
      },
      spec: template['spec'],
    };
  });
}
