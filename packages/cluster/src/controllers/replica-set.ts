// ReplicaSets, and ReplicationControllers before them: as many pods as asked for, made from the template.
import { controllerOf, type KubeObject, listAt, numberAt, recordAt } from '@fairlead/kube/object';
import { KeyLoop, type LoopResult } from '../reconcile/index.ts';
import { adoptersOf, adoptPods, isOrphan, releasePods } from './adoption.ts';
import { builtIn, type Controller, type ControllerContext, keyOf, manager, splitKey } from './context.ts';
import { isPodActive, isPodReady, untilAvailableMs } from './pod-state.ts';
import { createPod, deletePod, podFromTemplate, podsControlledBy } from './pods.ts';

/** Pods made or removed in one go; the rest follows in the next. */
const burst = 500;

interface SetKind {
  readonly group: string;
  readonly kind: string;
  /** Where they are kept. */
  readonly collection: string;
  /** The controller that events name. */
  readonly component: string;
}

const replicaSets: SetKind = {
  group: 'apps',
  kind: 'ReplicaSet',
  collection: 'apps/replicasets',
  component: 'replicaset-controller',
};
const replicationControllers: SetKind = {
  group: '',
  kind: 'ReplicationController',
  collection: 'replicationcontrollers',
  component: 'replication-controller',
};

export const startReplicaSets = (context: ControllerContext): Controller => startSets(context, replicaSets);
export const startReplicationControllers = (context: ControllerContext): Controller =>
  startSets(context, replicationControllers);

function startSets(context: ControllerContext, kind: SetKind): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  /** Sets that an orphan has turned up for; looking through all pods is for them and for new sets only. */
  const adopters = new Set<string>();
  const loop = new KeyLoop({
    name: kind.kind.toLowerCase(),
    clock,
    log,
    reconcile: (key) => reconcile(context, kind, { key, hasOrphans: adopters.delete(key) }),
  });
  const unsubscribes = [
    store.subscribe(kind.collection, ({ stored }) => loop.add(keyOf(stored.object))),
    store.subscribe('pods', ({ type, stored: { object } }) => {
      const owner = controllerOf(object);
      if (owner?.kind === kind.kind) loop.add(`${object.metadata.namespace}/${owner.name}`);
      if (type === 'DELETED' || !isOrphan(object)) return;
      for (const key of adoptersOf(context, kind.collection, object)) {
        adopters.add(key);
        loop.add(key);
      }
    }),
  ];
  for (const { object } of store.collection(kind.collection).scan()) loop.add(keyOf(object));
  return {
    stop: () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      return loop.stop();
    },
  };
}

interface Wanted {
  readonly key: string;
  readonly hasOrphans: boolean;
}

async function reconcile(
  context: ControllerContext,
  { group, kind, component }: SetKind,
  { key, hasOrphans }: Wanted,
): Promise<LoopResult> {
  const { objects } = context;
  const target = { type: builtIn(objects, group, kind), ...splitKey(key) };
  const set = objects.find(target)?.object;
  if (!set) return undefined;
  const { uid = '' } = set.metadata;
  if (!set.metadata.deletionTimestamp) {
    const isNew = numberAt(set, 'status', 'observedGeneration') === undefined;
    if (hasOrphans || isNew) await adoptPods(context, set);
    await releasePods(context, set);
    await adjust(context, { set, component }, podsOf(context, uid));
  }
  const { status, againAfterMs } = statusOf(set, podsOf(context, uid), context.clock.now());
  await objects.update(target, (present) => ({ ...present, status }), { manager, subresource: 'status' });
  return againAfterMs === undefined ? undefined : { againAfterMs };
}

const podsOf = (context: ControllerContext, uid: string) => podsControlledBy(context, uid).filter(isPodActive);

async function adjust(
  context: ControllerContext,
  { set, component }: { set: KubeObject; component: string },
  pods: readonly KubeObject[],
): Promise<void> {
  const wanted = numberAt(set, 'spec', 'replicas') ?? 1;
  const missing = wanted - pods.length;
  if (missing > 0) {
    await Promise.all(
      Array.from({ length: Math.min(missing, burst) }, () =>
        createPod(context, { owner: set, pod: podFromTemplate(set), component }),
      ),
    );
  } else if (missing < 0) {
    const surplus = [...pods].sort(byWorth).slice(0, Math.min(-missing, burst));
    await Promise.all(surplus.map((pod) => deletePod(context, { owner: set, pod, component })));
  }
}

/** The least worth comes first: not running on a node, not ready, youngest. */
function byWorth(a: KubeObject, b: KubeObject): number {
  const rank = (pod: KubeObject) => (recordAt(pod, 'spec')['nodeName'] ? 1 : 0) + (isPodReady(pod) ? 2 : 0);
  const age = (pod: KubeObject) => Date.parse(pod.metadata.creationTimestamp ?? '');
  return rank(a) - rank(b) || age(b) - age(a);
}

function statusOf(set: KubeObject, pods: readonly KubeObject[], nowMs: number) {
  const minReadySeconds = numberAt(set, 'spec', 'minReadySeconds') ?? 0;
  const waits = pods.map((pod) => untilAvailableMs(pod, minReadySeconds, nowMs));
  const pending = waits.filter((ms) => ms !== undefined && ms > 0) as number[]; // the filter left numbers only
  const readyReplicas = pods.filter(isPodReady).length;
  const availableReplicas = waits.filter((ms) => ms === 0).length;
  const conditions = listAt(set, 'status', 'conditions');
  const status = {
    replicas: pods.length,
    ...(pods.length > 0 ? { fullyLabeledReplicas: pods.length } : {}),
    ...(readyReplicas > 0 ? { readyReplicas } : {}),
    ...(availableReplicas > 0 ? { availableReplicas } : {}),
    observedGeneration: set.metadata.generation,
    ...(conditions.length > 0 ? { conditions } : {}),
  };
  return { status, againAfterMs: pending.length === 0 ? undefined : Math.min(...pending) + 10 };
}
