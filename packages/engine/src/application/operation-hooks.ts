// The hooks of an operation beside running them: releasing those that are over, deleting by policy at the end, and
// ending those that still run when a person ends the operation.
import { mapLimit } from '@fairlead/base';
import type { KubeObject, ResourceRef } from '@fairlead/kube';
import {
  type ApplyDeps,
  deleteHook,
  isRunningResult,
  releaseHook,
  resultKey,
  type SyncOptions,
  type SyncPlan,
  type SyncTask,
  type TaskResult,
} from '../sync/index.ts';

const parallel = 10;

type HookTask = Extract<SyncTask, { action: 'hook' }>;

const hooksOf = ({ steps }: SyncPlan): HookTask[] =>
  steps.flatMap(({ tasks }) => tasks.flatMap((task) => (task.action === 'hook' ? [task] : [])));

export const isResultOf = (result: TaskResult, task: SyncTask): boolean => resultKey(result) === task.key;

/** Whether a hook is over whose result stands nowhere yet: once it were gone, nobody could tell that it has run. */
export function hasUnrecorded(
  plan: SyncPlan,
  results: readonly TaskResult[],
  recorded: readonly TaskResult[] = [],
): boolean {
  const known = new Set(recorded.filter((result) => !isRunningResult(result)).map(resultKey));
  const hooks = new Set(hooksOf(plan).map(({ key }) => key));
  const isNews = (result: TaskResult) => !isRunningResult(result) && !known.has(resultKey(result));
  return results.some((result) => hooks.has(resultKey(result)) && isNews(result));
}

/** Hooks whose result was read need not be kept in the cluster any longer. */
export async function releaseFinished(plan: SyncPlan, results: readonly TaskResult[], deps: ApplyDeps): Promise<void> {
  const finished = new Set(results.filter((result) => !isRunningResult(result)).map(resultKey));
  const hooks = hooksOf(plan).filter((task) => finished.has(task.key));
  await mapLimit(hooks, parallel, async ({ ref }) => {
    const live = deps.liveOf(ref);
    if (live) await releaseHook(live, deps);
  });
}

/** At the end of the whole operation: `HookSucceeded` when it succeeded, `HookFailed` when it did not. */
export async function cleanUpHooks(
  plan: SyncPlan,
  hasSucceeded: boolean,
  { propagationPolicy }: SyncOptions,
  deps: ApplyDeps,
): Promise<void> {
  const policy = hasSucceeded ? 'HookSucceeded' : 'HookFailed';
  const hooks = hooksOf(plan).filter((task) => task.deletePolicies.includes(policy));
  await mapLimit(hooks, parallel, async ({ ref }) => {
    const live = deps.liveOf(ref);
    if (live) await deleteHook(live, propagationPolicy, deps);
  });
}

export function endHooks(
  results: readonly TaskResult[],
  liveOf: (ref: ResourceRef) => KubeObject | undefined,
  deps: ApplyDeps,
): Promise<TaskResult[]> {
  return mapLimit(results, parallel, async (result) => {
    if (result.hookType === undefined || !isRunningResult(result)) return result;
    const { namespace, ...rest } = result;
    const live = liveOf({ ...rest, ...(namespace ? { namespace } : {}) });
    if (live) await deleteHook(live, 'Foreground', deps);
    return { ...result, hookPhase: 'Failed', message: 'Terminated' };
  });
}
