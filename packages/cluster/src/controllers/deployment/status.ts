// What a Deployment says of itself. Pure.
import { toKubeTime } from '@fairlead/base';
import { equalJson, isRecord, type KubeObject, listAt, numberAt, valueAt } from '@fairlead/kube/object';
import { availableOf, boundsOf, replicasOf, sum } from './replicas.ts';

interface StatusInput {
  readonly deployment: KubeObject;
  readonly newSet: KubeObject | undefined;
  readonly oldSets: readonly KubeObject[];
  readonly nowMs: number;
  /** True when the new set was made in this very pass. */
  readonly isNewSetCreated: boolean;
}

interface Counts {
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly unavailableReplicas: number;
}

export interface DeploymentStatus {
  readonly status: Record<string, unknown>;
  /** When the progress deadline falls due, if one is running. */
  readonly againAfterMs: number | undefined;
}

const statusNumber = (field: string) => (object: KubeObject) => numberAt(object, 'status', field) ?? 0;

export function deploymentStatus(input: StatusInput): DeploymentStatus {
  const { deployment, newSet, oldSets, nowMs } = input;
  const sets = newSet ? [newSet, ...oldSets] : oldSets;
  const replicas = sum(sets, statusNumber('replicas'));
  const availableReplicas = sum(sets, availableOf);
  const counts: Counts = {
    replicas,
    updatedReplicas: newSet ? statusNumber('replicas')(newSet) : 0,
    readyReplicas: sum(sets, statusNumber('readyReplicas')),
    availableReplicas,
    unavailableReplicas: Math.max(0, Math.max(replicas, replicasOf(deployment)) - availableReplicas),
  };
  const progress = progressing(input, counts);
  const conditions = [available(deployment, counts, nowMs), progress.condition].filter(
    (condition) => condition !== undefined,
  );
  const shown = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  const collisionCount = valueAt(deployment, 'status', 'collisionCount');
  const status = {
    observedGeneration: deployment.metadata.generation,
    ...shown,
    conditions,
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
  return { status, againAfterMs: progress.againAfterMs };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
}

function previousCondition(deployment: KubeObject, type: string): Condition | undefined {
  const conditions = listAt(deployment, 'status', 'conditions').filter(isRecord);
  return conditions.find((condition) => condition['type'] === type) as Condition | undefined; // our own writing
}

function stamped(
  condition: Condition,
  before: Condition | undefined,
  options: { nowMs: number; touch?: boolean },
): Condition {
  const now = toKubeTime(options.nowMs);
  const isSame =
    before?.status === condition.status && before.reason === condition.reason && before.message === condition.message;
  if (isSame && !options.touch) return before;
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  return { ...condition, lastUpdateTime: now, lastTransitionTime };
}

function available(deployment: KubeObject, counts: Counts, nowMs: number): Condition {
  const isAvailable = counts.availableReplicas >= replicasOf(deployment) - boundsOf(deployment).maxUnavailable;
  const condition = isAvailable
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
  return stamped(condition, previousCondition(deployment, 'Available'), { nowMs });
}

function progressing(
  input: StatusInput,
  counts: Counts,
): { condition: Condition | undefined; againAfterMs: number | undefined } {
  const { deployment, newSet, nowMs } = input;
  const before = previousCondition(deployment, 'Progressing');
  const deadlineSeconds = numberAt(deployment, 'spec', 'progressDeadlineSeconds') ?? 600;
  const name = newSet?.metadata.name ?? deployment.metadata.name;
  const say = (status: string, reason: string, message: string): Condition => ({
    type: 'Progressing',
    status,
    reason,
    message,
  });
  const wanted = replicasOf(deployment);
  const isComplete =
    newSet && counts.updatedReplicas === wanted && counts.replicas === wanted && counts.availableReplicas === wanted;
  if (valueAt(deployment, 'spec', 'paused') === true) {
    return {
      condition: stamped(say('Unknown', 'DeploymentPaused', 'Deployment is paused'), before, { nowMs }),
      againAfterMs: undefined,
    };
  }
  if (isComplete) {
    const done = say('True', 'NewReplicaSetAvailable', `ReplicaSet "${name}" has successfully progressed.`);
    return { condition: stamped(done, before, { nowMs }), againAfterMs: undefined };
  }
  if (input.isNewSetCreated) {
    const created = say('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);
    return { condition: stamped(created, before, { nowMs, touch: true }), againAfterMs: deadlineSeconds * 1000 };
  }
  if (hasMoved(deployment, counts) || !before) {
    const moving = say('True', 'ReplicaSetUpdated', `ReplicaSet "${name}" is progressing.`);
    return { condition: stamped(moving, before, { nowMs, touch: true }), againAfterMs: deadlineSeconds * 1000 };
  }
  return overdue(before, { name, nowMs, deadlineSeconds, say });
}

interface Deadline {
  readonly name: string;
  readonly nowMs: number;
  readonly deadlineSeconds: number;
  readonly say: (status: string, reason: string, message: string) => Condition;
}

function overdue(before: Condition, { name, nowMs, deadlineSeconds, say }: Deadline) {
  // A finished rollout that loses a pod later is not a rollout that is late.
  if (before.reason === 'NewReplicaSetAvailable' || before.status === 'False')
    return { condition: before, againAfterMs: undefined };
  const leftMs = Date.parse(before.lastUpdateTime ?? '') + deadlineSeconds * 1000 - nowMs;
  if (leftMs > 0) return { condition: before, againAfterMs: leftMs + 100 };
  const late = say('False', 'ProgressDeadlineExceeded', `ReplicaSet "${name}" has timed out progressing.`);
  return { condition: stamped(late, before, { nowMs }), againAfterMs: undefined };
}

function hasMoved(deployment: KubeObject, counts: Counts): boolean {
  const before = {
    updatedReplicas: statusNumber('updatedReplicas')(deployment),
    readyReplicas: statusNumber('readyReplicas')(deployment),
    availableReplicas: statusNumber('availableReplicas')(deployment),
    old: statusNumber('replicas')(deployment) - statusNumber('updatedReplicas')(deployment),
  };
  const { updatedReplicas, readyReplicas, availableReplicas, replicas } = counts;
  if (equalJson(before, { updatedReplicas, readyReplicas, availableReplicas, old: replicas - updatedReplicas }))
    return false;
  return (
    updatedReplicas > before.updatedReplicas ||
    readyReplicas > before.readyReplicas ||
    availableReplicas > before.availableReplicas ||
    replicas - updatedReplicas < before.old
  );
}
