// A sync as a value: which objects are applied and pruned, in which steps. Pure; applying it is another function.
//
// Steps run in order of phase (PreSync < Sync < PostSync) and wave; inside a step prunes come first, then objects by
// kind (namespaces and CRDs before what needs them) and name. Prunes run in mirrored wave order. A step begins only
// when everything of the step before is healthy, or gone if it was pruned. Objects of one kind in one step are
// independent and may be applied at the same time.
//
// Nothing here decides whether a sync may happen at all: callers must not plan from a failed or partial render.
import { trackingIdAnnotation } from '@fairlead/contracts';
import { gvkOf, type KubeObject, listAt, type ResourceRef, refKey, stringAt } from '@fairlead/kube';
import {
  deletePoliciesOf,
  type HookDeletePolicy,
  type HookPhase,
  hookFinalizer,
  hookRunAnnotation,
  isHook,
  isSkipped,
  phasesOf,
  type SyncPhase,
  syncPhases,
} from './hook.ts';
import { kindRank, mirrorWaves, waveOf } from './order.ts';
import { resourceSyncOptions, type SyncOptions } from './sync-options.ts';

export interface SyncPair {
  readonly ref: ResourceRef;
  readonly target?: KubeObject | undefined;
  readonly live?: KubeObject | undefined;
  /** False when target and live agree. */
  readonly isOutOfSync: boolean;
}

/** A hook of the source, before it has a name of its own. */
export interface SyncHook {
  readonly ref: ResourceRef;
  readonly target: KubeObject;
}

export interface HookRun {
  readonly revision: string;
  readonly startedAt: string;
  readonly attempt: number;
}

interface TaskBase<P extends HookPhase = SyncPhase> {
  /** Unique in a plan: an object may be a hook of several phases. */
  readonly key: string;
  readonly ref: ResourceRef;
  readonly phase: P;
  readonly wave: number;
  /** Its namespace or kind is made by the plan itself, so a dry run of it alone would be refused. */
  readonly needsPlan?: boolean;
}

export interface HookTask<P extends HookPhase = SyncPhase> extends TaskBase<P> {
  readonly action: 'hook';
  readonly target: KubeObject;
  readonly deletePolicies: readonly HookDeletePolicy[];
}

export type SyncTask =
  | HookTask
  | (TaskBase &
      (
        | {
            readonly action: 'apply';
            readonly target: KubeObject;
            readonly live?: KubeObject | undefined;
            readonly serverSideApply: boolean;
            readonly replace: boolean;
            readonly force: boolean;
          }
        | { readonly action: 'create-namespace'; readonly target: KubeObject }
        | { readonly action: 'prune'; readonly live: KubeObject; readonly needsConfirmation: boolean }
        | { readonly action: 'keep'; readonly live: KubeObject; readonly reason: string }
      ));

export interface SyncStep {
  readonly phase: SyncPhase;
  readonly wave: number;
  readonly tasks: readonly SyncTask[];
}

export interface SyncPlan {
  readonly steps: readonly SyncStep[];
}

export interface PlanInput {
  readonly pairs: readonly SyncPair[];
  readonly hooks?: readonly SyncHook[];
  /** Which attempt of which operation this is; names hooks that have only a `generateName`. */
  readonly run?: HookRun;
  readonly options: SyncOptions;
  /** Only these; hooks are then left out, as Argo CD does. */
  readonly selected?: readonly Omit<ResourceRef, 'version'>[] | undefined;
  /** The destination's namespace, to be made when `createNamespace` is set and it is neither live nor in the source. */
  readonly missingNamespace?: KubeObject | undefined;
}

export function planSync({ pairs, hooks = [], run = noRun, options, selected, missingNamespace }: PlanInput): SyncPlan {
  const isSelected = selection(selected);
  const wanted = pairs.filter((pair) => isSelected(pair) && !(pair.target && isSkipped(pair.target)));
  const tasks = [
    ...applyTasks(wanted, options),
    ...pruneTasks(wanted, options),
    ...(selected || options.skipHooks
      ? []
      : hooks.flatMap((hook) => phasesOf(hook.target).map((phase) => hookTask(hook, phase, run)))),
    ...(missingNamespace && options.createNamespace ? [namespaceTask(missingNamespace)] : []),
  ];
  return { steps: steps(liftDependencies(tasks).map((task) => markDependent(task, tasks))) };
}

function markDependent(task: SyncTask, tasks: readonly SyncTask[]): SyncTask {
  const needsPlan = tasks.some((other) => {
    const isNew = other.action === 'create-namespace' || (other.action === 'apply' && !other.live);
    return isNew && other !== task && dependentsOf(other.target)(task);
  });
  return needsPlan ? { ...task, needsPlan } : task;
}

const noRun = { revision: '', startedAt: '', attempt: 0 };

export const taskKey = (ref: Omit<ResourceRef, 'version'>, phase: string): string => `${refKey(ref)}#${phase}`;

/** The object gets the finalizer that keeps its result, and the mark of this run. */
export function hookTask<P extends HookPhase>({ ref, target }: SyncHook, phase: P, run: HookRun): HookTask<P> {
  const name = target.metadata.name || generatedName(target, phase, run);
  const { annotations, finalizers = [] } = target.metadata;
  const mark = { [hookRunAnnotation]: `${run.revision}/${run.startedAt}/${run.attempt}/${phase}` };
  const id = annotations?.[trackingIdAnnotation];
  // The id was written before the object had a name; without it the hook's own events would concern nobody.
  const tracking = id?.endsWith('/') ? { [trackingIdAnnotation]: `${id}${name}` } : {};
  const object = {
    ...target,
    metadata: {
      ...target.metadata,
      name,
      annotations: { ...annotations, ...mark, ...tracking },
      finalizers: [...new Set([...finalizers, hookFinalizer])],
    },
  };
  const named = { ...ref, name };
  const base = { key: taskKey(named, phase), ref: named, phase, wave: waveOf(target) };
  return { ...base, action: 'hook', target: object, deletePolicies: deletePoliciesOf(target) };
}

/** The same for the same run, so that a restarted engine finds what it has made. */
function generatedName({ metadata }: KubeObject, phase: string, run: HookRun): string {
  const seconds = Math.floor((Date.parse(run.startedAt) || 0) / 1000);
  return `${stringAt(metadata, 'generateName')}${run.revision.slice(0, 7)}-${phase}-${seconds}`.toLowerCase();
}

function selection(selected: PlanInput['selected']): (pair: SyncPair) => boolean {
  if (!selected) return () => true;
  const keys = new Set(selected.map((ref) => refKey(ref)));
  // A selection may leave the namespace out.
  const bare = new Set(
    selected.filter((ref) => !ref.namespace).map(({ group, kind, name }) => refKey({ group, kind, name })),
  );
  return ({ ref }) => keys.has(refKey(ref)) || bare.has(refKey({ group: ref.group, kind: ref.kind, name: ref.name }));
}

function applyTasks(pairs: readonly SyncPair[], options: SyncOptions): SyncTask[] {
  return pairs.flatMap(({ ref, target, live, isOutOfSync }) => {
    if (!target || (options.applyOutOfSyncOnly && !isOutOfSync)) return [];
    const own = resourceSyncOptions(target);
    const flag = (name: string, byDefault: boolean) =>
      own.includes(`${name}=true`) || (byDefault && !own.includes(`${name}=false`));
    return {
      key: taskKey(ref, 'Sync'),
      ref,
      phase: 'Sync',
      wave: waveOf(target),
      action: 'apply',
      target,
      live,
      serverSideApply: flag('ServerSideApply', options.serverSideApply),
      replace: flag('Replace', options.replace),
      force: flag('Force', options.force),
    };
  });
}

function pruneTasks(pairs: readonly SyncPair[], options: SyncOptions): SyncTask[] {
  const extra = pairs.flatMap((pair) =>
    pair.live && !pair.target && !isHook(pair.live) ? [{ ref: pair.ref, live: pair.live }] : [],
  );
  const mirrored = mirrorWaves(extra.map(({ live }) => waveOf(live)));
  const lastWave = Math.max(0, ...pairs.map(({ target }) => waveOf(target)));
  return extra.map(({ ref, live }): SyncTask => {
    const own = resourceSyncOptions(live);
    const isLast = options.pruneLast || own.includes('PruneLast=true');
    const wave = isLast ? lastWave + 1 : (mirrored.get(waveOf(live)) ?? 0);
    const base = { key: taskKey(ref, 'Sync'), ref, phase: 'Sync' as const, wave, live };
    if (!options.prune) return { ...base, action: 'keep', reason: 'ignored (requires pruning)' };
    if (own.includes('Prune=false')) return { ...base, action: 'keep', reason: 'ignored (no prune)' };
    const needsConfirmation = own.includes('Prune=confirm') || (options.pruneConfirm && !own.includes('Prune=true'));
    return { ...base, action: 'prune', needsConfirmation };
  });
}

/** The destination's namespace comes before every hook. */
const firstWave = Number.MIN_SAFE_INTEGER;

function namespaceTask(target: KubeObject): SyncTask {
  const ref = { group: '', version: 'v1', kind: 'Namespace', name: target.metadata.name };
  return { key: taskKey(ref, 'PreSync'), ref, phase: 'PreSync', wave: firstWave, action: 'create-namespace', target };
}

/** A namespace or CRD that comes with its dependents goes no later than the first of them. */
function liftDependencies(tasks: readonly SyncTask[]): SyncTask[] {
  const made = tasks.filter((task) => task.action === 'apply' || task.action === 'hook');
  return tasks.map((task) => {
    if (task.action !== 'apply') return task;
    const needs = dependentsOf(task.target);
    const first = made.filter((other) => other !== task && needs(other)).reduce<SyncTask>(earlier, task);
    if (first === task) return task;
    return { ...task, phase: first.phase, wave: first.wave, key: taskKey(task.ref, first.phase) };
  });
}

const byTime = (a: SyncTask, b: SyncTask): number =>
  syncPhases.indexOf(a.phase) - syncPhases.indexOf(b.phase) || a.wave - b.wave;
const earlier = (a: SyncTask, b: SyncTask): SyncTask => (byTime(b, a) < 0 ? b : a);

function dependentsOf(object: KubeObject): (task: SyncTask) => boolean {
  const { group, kind } = gvkOf(object);
  if (group === '' && kind === 'Namespace') return ({ ref }) => ref.namespace === object.metadata.name;
  if (kind !== 'CustomResourceDefinition') return () => false;
  const made = { group: stringAt(object, 'spec', 'group'), kind: stringAt(object, 'spec', 'names', 'kind') };
  const isServed = listAt(object, 'spec', 'versions').length > 0;
  return ({ ref }) => isServed && ref.group === made.group && ref.kind === made.kind;
}

function steps(tasks: readonly SyncTask[]): SyncStep[] {
  const rank = (task: SyncTask) => (task.action === 'prune' || task.action === 'keep' ? -1 : kindRank(task.ref.kind));
  const ordered = [...tasks].sort((a, b) => byTime(a, b) || rank(a) - rank(b) || (a.key < b.key ? -1 : 1));
  const found: { phase: SyncPhase; wave: number; tasks: SyncTask[] }[] = [];
  for (const task of ordered) {
    const last = found.at(-1);
    if (last && last.phase === task.phase && last.wave === task.wave) last.tasks.push(task);
    else found.push({ phase: task.phase, wave: task.wave, tasks: [task] });
  }
  return found;
}
