// What selects and what is selected: pods and their ReplicaSet (or ReplicationController), ReplicaSets and their Deployment:
// pods without a controller are taken in, pods whose labels have changed are let go.
import {
  controllerOf,
  controllerReference,
  type KubeObject,
  type LabelSelector,
  matchesSelector,
  recordAt,
  selectorOf,
} from '@fairlead/kube/object';
import { builtIn, type ControllerContext, keyOf, manager } from './context.ts';
import { isPodActive } from './pod-state.ts';
import { podsControlledBy } from './pods.ts';

export const isOrphan = (pod: KubeObject): boolean => isPodActive(pod) && controllerOf(pod) === undefined;

function selects(set: KubeObject, pod: KubeObject): boolean {
  const written = recordAt(set, 'spec', 'selector');
  // Of a ReplicationController it is labels alone. Both were checked when they were written.
  const selector = set.kind === 'ReplicationController' ? { matchLabels: written } : written;
  return matchesSelector(selectorOf(selector as LabelSelector), pod.metadata.labels);
}

/** The sets of a collection that would take the pod in. */
export function adoptersOf({ objects }: ControllerContext, sets: string, pod: KubeObject): readonly string[] {
  const { namespace } = pod.metadata;
  return [...objects.store.collection(sets).scan({ namespace })]
    .filter(({ object }) => !object.metadata.deletionTimestamp && selects(object, pod))
    .map(({ object }) => keyOf(object));
}

export async function adoptPods(context: ControllerContext, set: KubeObject): Promise<void> {
  const { namespace } = set.metadata;
  const pods = [...context.objects.store.collection('pods').scan({ namespace })].map(({ object }) => object);
  for (const pod of pods.filter((candidate) => isOrphan(candidate) && selects(set, candidate))) {
    await changeOwners(context, pod, (owners) => [...owners, controllerReference(set)]);
  }
}

export async function releasePods(context: ControllerContext, set: KubeObject): Promise<void> {
  const { uid = '' } = set.metadata;
  const strangers = podsControlledBy(context, uid).filter((pod) => isPodActive(pod) && !selects(set, pod));
  for (const pod of strangers) {
    await changeOwners(context, pod, (owners) => owners.filter((owner) => owner.uid !== uid));
  }
}

/** A new deployment takes in the sets that an earlier one left behind. */
export async function adoptSets(context: ControllerContext, deployment: KubeObject): Promise<void> {
  const { namespace } = deployment.metadata;
  const sets = [...context.objects.store.collection('apps/replicasets').scan({ namespace })].map(
    ({ object }) => object,
  );
  const isFree = (set: KubeObject) => !set.metadata.deletionTimestamp && controllerOf(set) === undefined;
  for (const set of sets.filter((candidate) => isFree(candidate) && selects(deployment, candidate))) {
    await changeOwners(context, set, (owners) => [...owners, controllerReference(deployment)]);
  }
}

type Owners = NonNullable<KubeObject['metadata']['ownerReferences']>;

async function changeOwners(
  { objects }: ControllerContext,
  { kind, metadata: { namespace = '', name } }: KubeObject,
  change: (owners: Owners) => Owners,
): Promise<void> {
  const target = { type: builtIn(objects, kind === 'Pod' ? '' : 'apps', kind), namespace, name };
  const rewrite = (present: KubeObject) => ({
    ...present,
    metadata: { ...present.metadata, ownerReferences: change(present.metadata.ownerReferences ?? []) },
  });
  await objects.update(target, rewrite, { manager });
}
