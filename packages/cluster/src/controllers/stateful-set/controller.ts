// StatefulSets: pods with a number and a name of their own, made in order, removed and updated in reverse. Each pass
// takes one step; the pods' own changes bring it back for the next.
import { type KubeObject, stringAt } from '@fairlead/kube/object';
import type { LoopResult } from '../../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, manager, splitKey } from '../context.ts';
import { startOwnerLoop } from '../owner-loop.ts';
import { createPod, deletePod, podsControlledBy } from '../pods.ts';
import { ensureRevision, pruneRevisions, revisionsOf } from '../revisions.ts';
import { claimsAt, podAt } from './pod.ts';
import { statefulSetStatus } from './status.ts';
import { nextSteps, revisionLabel, usesCurrentRevision } from './steps.ts';

const component = 'statefulset-controller';
const hashLabel = 'controller.kubernetes.io/hash';

export function startStatefulSets(context: ControllerContext): Controller {
  return startOwnerLoop(context, {
    owners: 'apps/statefulsets',
    kind: 'StatefulSet',
    dependents: 'pods',
    reconcile: (key) => reconcile(context, key),
  });
}

const told = (deed: string, set: KubeObject) => (pod: string) =>
  `${deed} Pod ${pod} in StatefulSet ${set.metadata.name} successful`;

async function reconcile(context: ControllerContext, key: string): Promise<LoopResult> {
  const { objects, clock } = context;
  const target = { type: builtIn(objects, 'apps', 'StatefulSet'), ...splitKey(key) };
  const set = objects.find(target)?.object;
  if (!set || set.metadata.deletionTimestamp) return undefined;
  const { uid = '' } = set.metadata;
  const update = await ensureRevision(context, set, { hashLabel });
  const current = currentRevisionOf(context, set) ?? update;
  const updateRevision = update.metadata.name;
  const view = () => ({ set, pods: podsControlledBy(context, uid), updateRevision, nowMs: clock.now() });
  const { create, remove } = nextSteps(view());
  for (const ordinal of create) {
    const revision = usesCurrentRevision(set, ordinal) ? current : update;
    await createMember(context, set, { ordinal, revision });
  }
  for (const pod of remove) await deletePod(context, { owner: set, pod, component, message: told('delete', set) });
  const { status, againAfterMs } = statefulSetStatus({ ...view(), currentRevision: current.metadata.name });
  await objects.update(target, (present) => ({ ...present, status }), { manager, subresource: 'status' });
  const inUse = [
    status.currentRevision,
    updateRevision,
    ...view().pods.map((pod) => pod.metadata.labels?.[revisionLabel]),
  ];
  await pruneRevisions(context, set, ({ metadata }) => inUse.includes(metadata.name));
  return againAfterMs === undefined ? undefined : { againAfterMs };
}

function currentRevisionOf(context: ControllerContext, set: KubeObject): KubeObject | undefined {
  const name = stringAt(set, 'status', 'currentRevision');
  return revisionsOf(context, set).find(({ metadata }) => metadata.name === name);
}

async function createMember(
  context: ControllerContext,
  set: KubeObject,
  place: { ordinal: number; revision: KubeObject },
): Promise<void> {
  const { objects } = context;
  const type = builtIn(objects, '', 'PersistentVolumeClaim');
  const { namespace = '' } = set.metadata;
  for (const claim of claimsAt(set, place.ordinal)) {
    if (objects.find({ type, namespace, name: claim.metadata.name })) continue;
    await objects.create(type, namespace, claim, { manager });
  }
  await createPod(context, { owner: set, pod: podAt(set, place), component, message: told('create', set) });
}
