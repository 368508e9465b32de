// Which ReplicaSet stands for which pod template, and how a new one is made. Pure.
import { canonicalJson, fnv1a } from '@fairlead/base';
import { controllerReference, equalJson, isRecord, type KubeObject, numberAt, recordAt } from '@fairlead/kube/object';
import { safeEncode } from '../../objects/index.ts';
import { boundsOf, replicasOf } from './replicas.ts';

const hashLabel = 'pod-template-hash';
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
const notCopied = [
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  desiredAnnotation,
  maxAnnotation,
];

export const revisionOf = (object: KubeObject): number =>
  Number(object.metadata.annotations?.[revisionAnnotation] ?? 0);

const createdMs = (set: KubeObject) => Date.parse(set.metadata.creationTimestamp ?? '');

/** The set with the deployment's template (the oldest if there are several), and all others. */
export function splitSets(deployment: KubeObject, sets: readonly KubeObject[]) {
  const wanted = recordAt(deployment, 'spec', 'template');
  const sorted = [...sets].sort(
    (a, b) => createdMs(a) - createdMs(b) || a.metadata.name.localeCompare(b.metadata.name),
  );
  const newSet = sorted.find((set) => equalJson(withoutHash(recordAt(set, 'spec', 'template')), wanted));
  return { newSet, oldSets: sorted.filter((set) => set !== newSet) };
}

function withoutHash(template: Record<string, unknown>): Record<string, unknown> {
  const metadata = recordAt(template, 'metadata');
  const { [hashLabel]: _hash, ...labels } = recordAt(metadata, 'labels');
  return { ...template, metadata: { ...metadata, labels } };
}

function withHash(template: Record<string, unknown>, hash: string): Record<string, unknown> {
  const metadata = recordAt(template, 'metadata');
  return { ...template, metadata: { ...metadata, labels: { ...recordAt(metadata, 'labels'), [hashLabel]: hash } } };
}

/** The annotations a set carries of its deployment. */
export function setAnnotations(deployment: KubeObject, revision: number): Record<string, string> {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !notCopied.includes(key));
  const replicas = replicasOf(deployment);
  return {
    ...Object.fromEntries(copied),
    [revisionAnnotation]: String(revision),
    [desiredAnnotation]: String(replicas),
    [maxAnnotation]: String(replicas + boundsOf(deployment).maxSurge),
  };
}

export function newReplicaSet(
  deployment: KubeObject,
  { revision, replicas }: { revision: number; replicas: number },
): KubeObject {
  const template = recordAt(deployment, 'spec', 'template');
  const collisions = numberAt(deployment, 'status', 'collisionCount') ?? 0;
  const hash = safeEncode(String(fnv1a(`${canonicalJson(template)}${collisions === 0 ? '' : collisions}`)));
  const selector = recordAt(deployment, 'spec', 'selector');
  const minReadySeconds = numberAt(deployment, 'spec', 'minReadySeconds');
  const labels = recordAt(template, 'metadata', 'labels');
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace,
      labels: { ...(labels as Record<string, string>), [hashLabel]: hash }, // label values are strings
      annotations: setAnnotations(deployment, revision),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: {
        ...selector,
        matchLabels: { ...(isRecord(selector['matchLabels']) ? selector['matchLabels'] : {}), [hashLabel]: hash },
      },
      template: withHash(template, hash),
    },
  };
}
