// Deployments: one ReplicaSet per template, moved from old to new within the bounds of the strategy. Each pass looks at
// what is there and takes one step; the watch brings it back for the next.
import { isControlledBy, type KubeObject, numberAt, recordAt, stringAt } from '@fairlead/kube/object';
import { StatusError } from '../../objects/index.ts';
import type { LoopResult } from '../../reconcile/index.ts';
import { adoptSets } from '../adoption.ts';
import { builtIn, type Controller, type ControllerContext, manager, splitKey } from '../context.ts';
import { startOwnerLoop } from '../owner-loop.ts';
import { newSetReplicas, pausedSteps, recreateSteps, replicasOf, rollingSteps, type ScaleStep } from './replicas.ts';
import { deploymentStatus } from './status.ts';
import { newReplicaSet, revisionAnnotation, revisionOf, setAnnotations, splitSets } from './template.ts';

const component = 'deployment-controller';

export function startDeployments(context: ControllerContext): Controller {
  return startOwnerLoop(context, {
    owners: 'apps/deployments',
    kind: 'Deployment',
    dependents: 'apps/replicasets',
    reconcile: (key) => reconcile(context, key),
  });
}

async function reconcile(context: ControllerContext, key: string): Promise<LoopResult> {
  const { objects, clock } = context;
  const target = { type: builtIn(objects, 'apps', 'Deployment'), ...splitKey(key) };
  const deployment = objects.find(target)?.object;
  if (!deployment || deployment.metadata.deletionTimestamp) return undefined;
  const isPaused = recordAt(deployment, 'spec')['paused'] === true;
  if (numberAt(deployment, 'status', 'observedGeneration') === undefined) await adoptSets(context, deployment);
  const { oldSets, ...found } = splitSets(deployment, setsOf(context, deployment));
  let { newSet } = found;
  const isNewSetCreated = !newSet && !isPaused;
  const revision = Math.max(0, ...oldSets.map(revisionOf)) + 1;
  if (!newSet && !isPaused) newSet = await createSet(context, deployment, { oldSets, revision });
  else if (newSet && !isPaused)
    newSet = await markSet(context, deployment, newSet, Math.max(revision, revisionOf(newSet)));
  const steps = stepsFor(deployment, { newSet, oldSets, isPaused });
  for (const step of steps) await scaleSet(context, deployment, step);
  await prune(context, deployment, oldSets);
  const fresh = splitSets(deployment, setsOf(context, deployment));
  const { status, againAfterMs } = deploymentStatus({ deployment, ...fresh, nowMs: clock.now(), isNewSetCreated });
  if (newSet) await annotate(context, deployment, newSet);
  await objects.update(target, (present) => ({ ...present, status }), { manager, subresource: 'status' });
  return againAfterMs === undefined ? undefined : { againAfterMs };
}

function setsOf({ objects }: ControllerContext, { metadata: { uid = '' } }: KubeObject): readonly KubeObject[] {
  return objects.store
    .dependentsOf(uid)
    .filter(({ resource, object }) => resource === 'apps/replicasets' && isControlledBy(object, uid))
    .map(({ object }) => object);
}

interface Sets {
  readonly newSet: KubeObject | undefined;
  readonly oldSets: readonly KubeObject[];
  readonly isPaused: boolean;
}

function stepsFor(deployment: KubeObject, sets: Sets): readonly ScaleStep[] {
  if (sets.isPaused) return pausedSteps(deployment, sets);
  const isRecreate = stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate';
  if (!isRecreate) return rollingSteps(deployment, sets);
  const isDraining = sets.oldSets.some((set) => (numberAt(set, 'status', 'replicas') ?? 0) > 0);
  const steps = recreateSteps(deployment, sets);
  return isDraining ? steps.filter(({ replicas }) => replicas === 0) : steps;
}

async function createSet(
  context: ControllerContext,
  deployment: KubeObject,
  { oldSets, revision }: { oldSets: readonly KubeObject[]; revision: number },
): Promise<KubeObject> {
  const { objects } = context;
  const isRecreate = stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate';
  const hasOldPods = oldSets.some((set) => replicasOf(set) > 0 || (numberAt(set, 'status', 'replicas') ?? 0) > 0);
  const replicas = isRecreate && hasOldPods ? 0 : newSetReplicas(deployment, { newSet: 0, oldSets });
  const wanted = newReplicaSet(deployment, { revision, replicas });
  const type = builtIn(objects, 'apps', 'ReplicaSet');
  try {
    const { object } = await objects.create(type, deployment.metadata.namespace ?? '', wanted, { manager });
    if (replicas > 0) announce(context, deployment, { name: object.metadata.name, from: 0, to: replicas });
    return object;
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'AlreadyExists') await countCollision(context, deployment);
    throw error;
  }
}

/** Another object holds the name this template hashes to: the next pass hashes with a salt. */
async function countCollision({ objects }: ControllerContext, deployment: KubeObject): Promise<void> {
  const collisionCount = (numberAt(deployment, 'status', 'collisionCount') ?? 0) + 1;
  const { namespace = '', name } = deployment.metadata;
  const target = { type: builtIn(objects, 'apps', 'Deployment'), namespace, name };
  const change = (present: KubeObject) => ({ ...present, status: { ...recordAt(present, 'status'), collisionCount } });
  await objects.update(target, change, { manager, subresource: 'status' });
}

/** Revision and the numbers kubectl reads from the set. */
async function markSet(
  { objects }: ControllerContext,
  deployment: KubeObject,
  set: KubeObject,
  revision: number,
): Promise<KubeObject> {
  const annotations = { ...set.metadata.annotations, ...setAnnotations(deployment, revision) };
  const target = setTarget(objects, set);
  const change = (present: KubeObject) => ({ ...present, metadata: { ...present.metadata, annotations } });
  return (await objects.update(target, change, { manager })).object;
}

const setTarget = (objects: ControllerContext['objects'], { metadata }: KubeObject) => ({
  type: builtIn(objects, 'apps', 'ReplicaSet'),
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

async function scaleSet(
  context: ControllerContext,
  deployment: KubeObject,
  { set, replicas }: ScaleStep,
): Promise<void> {
  const { objects } = context;
  const change = (present: KubeObject) => ({ ...present, spec: { ...recordAt(present, 'spec'), replicas } });
  await objects.update(setTarget(objects, set), change, { manager });
  announce(context, deployment, { name: set.metadata.name, from: replicasOf(set), to: replicas });
}

function announce(
  { events }: ControllerContext,
  deployment: KubeObject,
  scaled: { name: string; from: number; to: number },
): void {
  const { name, from, to } = scaled;
  const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;
  events.record({ about: deployment, type: 'Normal', reason: 'ScalingReplicaSet', message, component });
}

/** The deployment shows the revision of its newest set. */
async function annotate({ objects }: ControllerContext, deployment: KubeObject, set: KubeObject): Promise<void> {
  const revision = set.metadata.annotations?.[revisionAnnotation] ?? '';
  if (deployment.metadata.annotations?.[revisionAnnotation] === revision) return;
  const { namespace = '', name } = deployment.metadata;
  const target = { type: builtIn(objects, 'apps', 'Deployment'), namespace, name };
  const change = (present: KubeObject) => ({
    ...present,
    metadata: { ...present.metadata, annotations: { ...present.metadata.annotations, [revisionAnnotation]: revision } },
  });
  await objects.update(target, change, { manager });
}

/** Old sets beyond the history limit go, oldest first, once they are empty. */
async function prune(
  { objects }: ControllerContext,
  deployment: KubeObject,
  oldSets: readonly KubeObject[],
): Promise<void> {
  const limit = numberAt(deployment, 'spec', 'revisionHistoryLimit') ?? 10;
  const empty = oldSets
    .filter(
      (set) =>
        replicasOf(set) === 0 && (numberAt(set, 'status', 'replicas') ?? 0) === 0 && !set.metadata.deletionTimestamp,
    )
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  for (const set of empty.slice(0, Math.max(0, oldSets.length - limit)))
    await objects.delete(setTarget(objects, set), {});
}
