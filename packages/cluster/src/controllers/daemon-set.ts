// DaemonSets: one pod on every node that the template's node selector matches. Old pods are replaced a few at a time.
import {
  isRecord,
  type KubeObject,
  listAt,
  matchesSelector,
  numberAt,
  recordAt,
  selectorOf,
  stringAt,
  valueAt,
} from '@fairlead/kube/object';
import { assignedNode, withAssignedNode } from '../node/index.ts';
import type { LoopResult } from '../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, manager, splitKey } from './context.ts';
import { startOwnerLoop } from './owner-loop.ts';
import { isPodActive, isPodReady, untilAvailableMs } from './pod-state.ts';
import { createPod, deletePod, podFromTemplate, podsControlledBy } from './pods.ts';
import { ensureRevision, pruneRevisions } from './revisions.ts';

const component = 'daemonset-controller';
const hashLabel = 'controller-revision-hash';

export function startDaemonSets(context: ControllerContext): Controller {
  return startOwnerLoop(context, {
    owners: 'apps/daemonsets',
    kind: 'DaemonSet',
    dependents: 'pods',
    surroundings: ['nodes'],
    reconcile: (key) => reconcile(context, key),
  });
}

async function reconcile(context: ControllerContext, key: string): Promise<LoopResult> {
  const { objects, clock } = context;
  const target = { type: builtIn(objects, 'apps', 'DaemonSet'), ...splitKey(key) };
  const set = objects.find(target)?.object;
  if (!set || set.metadata.deletionTimestamp) return undefined;
  const revision = await ensureRevision(context, set, { hashLabel });
  const hash = revision.metadata.labels?.[hashLabel] ?? '';
  const nodes = nodesFor(context, set);
  const view = () => ({
    set,
    nodes,
    hash,
    pods: podsControlledBy(context, set.metadata.uid ?? ''),
    nowMs: clock.now(),
  });
  const { create, remove } = nextSteps(view());
  await Promise.all([
    ...create.map((node) => createPod(context, { owner: set, pod: podOn(set, node, hash), component })),
    ...remove.map((pod) => deletePod(context, { owner: set, pod, component })),
  ]);
  const { status, againAfterMs } = statusOf(view());
  await objects.update(target, (present) => ({ ...present, status }), { manager, subresource: 'status' });
  const inUse = [hash, ...view().pods.map((pod) => pod.metadata.labels?.[hashLabel])];
  await pruneRevisions(context, set, ({ metadata }) => inUse.includes(metadata.labels?.[hashLabel]));
  return againAfterMs === undefined ? undefined : { againAfterMs };
}

function nodesFor({ objects }: ControllerContext, set: KubeObject): readonly string[] {
  const matchLabels = recordAt(set, 'spec', 'template', 'spec', 'nodeSelector') as Record<string, string>; // label values are strings
  return [...objects.store.collection('nodes').scan()]
    .map(({ object }) => object.metadata)
    .filter(
      ({ labels, deletionTimestamp }) => !deletionTimestamp && matchesSelector(selectorOf({ matchLabels }), labels),
    )
    .map(({ name }) => name);
}

function podOn(set: KubeObject, node: string, hash: string): KubeObject {
  const pod = podFromTemplate(set);
  const labels = { ...pod.metadata.labels, [hashLabel]: hash };
  const spec = recordAt(pod, 'spec');
  const given = listAt(spec, 'tolerations').filter(isRecord);
  const added = nodeTroubles
    .filter(([key]) => !given.some((toleration) => toleration['key'] === key))
    .map(([key, effect]) => ({ effect, key: `node.kubernetes.io/${key}`, operator: 'Exists' }));
  const tolerating = { ...spec, tolerations: [...given, ...added] };
  return { ...pod, metadata: { ...pod.metadata, labels }, spec: withAssignedNode(tolerating, node) };
}

/** What does not drive a daemon from its node. */
const nodeTroubles: readonly (readonly [string, string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
];

interface SetView {
  readonly set: KubeObject;
  readonly nodes: readonly string[];
  readonly hash: string;
  readonly pods: readonly KubeObject[];
  readonly nowMs: number;
}

/** A pod that is still on its way out holds its node's place. */
function nextSteps({ set, nodes, hash, pods }: SetView): { create: readonly string[]; remove: readonly KubeObject[] } {
  const taken = pods.map(assignedNode);
  const staying = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  const unwanted = staying.filter((pod) => !isPodActive(pod) || !nodes.includes(assignedNode(pod)));
  const old = staying.filter((pod) => !unwanted.includes(pod) && pod.metadata.labels?.[hashLabel] !== hash);
  const isRolling = stringAt(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete';
  // Pods that do not work anyway are replaced without counting.
  const broken = old.filter((pod) => !isPodReady(pod));
  const working = staying.filter(isPodReady).length;
  const mayGo = Math.max(0, maxUnavailable(set, nodes.length) - (nodes.length - working));
  const replaced = isRolling ? [...broken, ...old.filter(isPodReady).slice(0, mayGo)] : [];
  return { create: nodes.filter((node) => !taken.includes(node)), remove: [...unwanted, ...replaced] };
}

function maxUnavailable(set: KubeObject, nodes: number): number {
  const value = valueAt(set, 'spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable') ?? 1;
  const count = typeof value === 'number' ? value : Math.ceil((Number.parseInt(String(value), 10) / 100) * nodes);
  return Math.max(1, count);
}

function statusOf({ set, nodes, hash, pods, nowMs }: SetView) {
  const minReadySeconds = numberAt(set, 'spec', 'minReadySeconds') ?? 0;
  const staying = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  const placed = staying.filter((pod) => nodes.includes(assignedNode(pod)));
  const waits = placed.flatMap((pod) => untilAvailableMs(pod, minReadySeconds, nowMs) ?? []);
  const pending = waits.filter((ms) => ms > 0);
  const available = waits.length - pending.length;
  const updated = placed.filter(({ metadata }) => metadata.labels?.[hashLabel] === hash).length;
  const unavailable = nodes.length - available;
  const status = {
    currentNumberScheduled: placed.length,
    numberMisscheduled: staying.length - placed.length,
    desiredNumberScheduled: nodes.length,
    numberReady: placed.filter(isPodReady).length,
    observedGeneration: set.metadata.generation,
    ...(updated > 0 ? { updatedNumberScheduled: updated } : {}),
    ...(available > 0 ? { numberAvailable: available } : {}),
    ...(unavailable > 0 ? { numberUnavailable: unavailable } : {}),
  };
  return { status, againAfterMs: pending.length === 0 ? undefined : Math.min(...pending) + 10 };
}
