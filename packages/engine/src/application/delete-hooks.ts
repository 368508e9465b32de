// Hooks around the deletion of an Application: PreDelete before anything of it goes, PostDelete when everything is gone.
// Two finalizers a phase hold the Application, as in Argo CD: one until the hooks are over, one until those are deleted
// whose policy says so. Every function may be repeated: what a run has made is known by its mark.
import { mapLimit, RetryableError } from '@fairlead/base';
import type { Application } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { compareHealth, type Health, type HealthOf, type HealthReady } from '../health/index.ts';
import {
  type ApplyDeps,
  applyTask,
  type DeletePhase,
  deleteHook,
  hookTask,
  hookTypesOf,
  kindRank,
  parseSyncOptions,
  releaseHook,
  type SyncHook,
} from '../sync/index.ts';

const finalizerOf: Readonly<Record<DeletePhase, string>> = {
  PreDelete: 'pre-delete-finalizer.argocd.argoproj.io',
  PostDelete: 'post-delete-finalizer.argocd.argoproj.io',
};
const phases = ['PreDelete', 'PostDelete'] as const;
const parallel = 10;

const finalizersOf = (phase: DeletePhase) => [finalizerOf[phase], `${finalizerOf[phase]}/cleanup`];

export const isDeleteHookFinalizer = (finalizer: string): boolean =>
  phases.some((phase) => finalizersOf(phase).includes(finalizer));

const hooksIn = (hooks: readonly SyncHook[], phase: DeletePhase) =>
  hooks.filter(({ target }) => hookTypesOf(target).includes(phase));

/**
 * The finalizers an Application needs for the hooks its source has now; what was given, be it no list at all, when they
 * are right already: API servers drop empty lists, and one that is written again with each look would never end.
 */
export function withDeleteFinalizers(
  given: readonly string[] | undefined,
  hooks: readonly SyncHook[],
): readonly string[] | undefined {
  const finalizers = given ?? [];
  const wanted = phases.filter((phase) => hooksIn(hooks, phase).length > 0).flatMap(finalizersOf);
  const isRight = finalizers.filter(isDeleteHookFinalizer).length === wanted.length;
  if (isRight && wanted.every((finalizer) => finalizers.includes(finalizer))) return given;
  return [...finalizers.filter((finalizer) => !isDeleteHookFinalizer(finalizer)), ...wanted];
}

export interface DeleteHookStep {
  readonly phase: DeletePhase;
  readonly stage: 'run' | 'clean up';
  /** Comes off when the step is done. */
  readonly finalizer: string;
}

/** What the finalizers of a phase still ask for. */
export function deleteHookStep({ metadata }: Application, phase: DeletePhase): DeleteHookStep | undefined {
  const [run = '', cleanUp = ''] = finalizersOf(phase);
  if (metadata.finalizers?.includes(run)) return { phase, stage: 'run', finalizer: run };
  if (metadata.finalizers?.includes(cleanUp)) return { phase, stage: 'clean up', finalizer: cleanUp };
  return undefined;
}

export interface DeleteHookDeps extends ApplyDeps {
  readonly healthOf: HealthOf;
  readonly healthReady: HealthReady;
}

export type DeleteHookProgress =
  | { readonly isOver: true }
  | { readonly isOver: false; readonly message: string; readonly isFailure: boolean };

const healthy: Health = { status: 'Healthy' };
const options = parseSyncOptions([], { prune: false, dryRun: false });

/**
 * A PreDelete hook that fails holds the deletion back, with everything still there; a PostDelete hook that fails does not,
 * since there is nothing left to keep.
 */
export async function advanceDeleteHooks(
  application: Application,
  { phase, stage }: DeleteHookStep,
  hooks: readonly SyncHook[],
  deps: DeleteHookDeps,
): Promise<DeleteHookProgress> {
  const run = { revision: '', startedAt: application.metadata.deletionTimestamp ?? '', attempt: 0 };
  const tasks = hooksIn(hooks, phase)
    .map((hook) => hookTask(hook, phase, run))
    .sort((a, b) => kindRank(a.ref.kind) - kindRank(b.ref.kind));
  if (stage === 'clean up') return cleanUp(tasks, deps);
  const running: string[] = [];
  for (const task of tasks) {
    const result = await applyTask(task, options, deps);
    if (result?.status === 'SyncFailed') {
      throw new RetryableError('delete_hook_refused', `${phase} hook ${nameOf(task)}: ${result.message ?? ''}`);
    }
    const live = result && deps.liveOf(task.ref);
    if (live) await deps.healthReady([live]);
    const health = live ? (deps.healthOf(live) ?? healthy) : undefined;
    if (health?.status === 'Degraded' && phase === 'PreDelete') {
      const reason = health.message ? `: ${health.message}` : '';
      const message = `PreDelete hook ${nameOf(task)} failed${reason}. Delete it to run it again.`;
      return { isOver: false, message, isFailure: true };
    }
    if (!live || !health || health.status === 'Progressing' || health.status === 'Suspended')
      running.push(nameOf(task));
    else await releaseHook(live, deps);
  }
  if (running.length === 0) return { isOver: true };
  return { isOver: false, message: `waiting for ${phase} hooks: ${running.join(', ')}`, isFailure: false };
}

type Tasks = readonly ReturnType<typeof hookTask<DeletePhase>>[];

async function cleanUp(tasks: Tasks, deps: DeleteHookDeps): Promise<DeleteHookProgress> {
  const present = tasks.flatMap((task) => {
    const live = deps.liveOf(task.ref);
    return live ? [{ task, live }] : [];
  });
  await deps.healthReady(present.map(({ live }) => live));
  const worst = present.reduce<Health>((sofar, { live }) => worseOf(sofar, live, deps.healthOf), healthy);
  const policy = worst.status === 'Degraded' ? 'HookFailed' : 'HookSucceeded';
  const going = present.filter(({ task }) => task.deletePolicies.includes(policy));
  await mapLimit(going, parallel, ({ live }) => deleteHook(live, 'Background', deps));
  const left = going.filter(({ task }) => deps.liveOf(task.ref)).map(({ task }) => nameOf(task));
  if (left.length === 0) return { isOver: true };
  return { isOver: false, message: `waiting for deletion of ${left.join(', ')}`, isFailure: false };
}

/** Being deleted says nothing about how the hook went. */
function worseOf(sofar: Health, live: KubeObject, healthOf: HealthOf): Health {
  const own = live.metadata.deletionTimestamp ? undefined : healthOf(live);
  return own && compareHealth(own.status, sofar.status) > 0 ? own : sofar;
}

const nameOf = ({ ref }: { readonly ref: { readonly kind: string; readonly name: string } }) =>
  `${ref.kind}/${ref.name}`;
