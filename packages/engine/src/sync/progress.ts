// Where a sync stands: given the plan, what was recorded so far, and the cluster, what is next? Pure, so that a sync
// can be taken up again by any process at any time.
import type { ResourceResult } from '@fairlead/contracts';
import { type KubeObject, refKey } from '@fairlead/kube';
import { type Health, healthOf } from '../health/index.ts';
import type { SyncPlan, SyncStep, SyncTask } from './plan.ts';

export type NextAction =
  | { readonly next: 'run'; readonly step: SyncStep; readonly tasks: readonly SyncTask[]; readonly isLast: boolean }
  | { readonly next: 'wait'; readonly message: string }
  | { readonly next: 'fail'; readonly message: string }
  | { readonly next: 'finish'; readonly message: string };

interface ProgressInput {
  readonly plan: SyncPlan;
  readonly results: readonly ResourceResult[];
  readonly liveOf: (task: SyncTask) => KubeObject | undefined;
}

export function nextAction({ plan, results, liveOf }: ProgressInput): NextAction {
  const done = new Map(results.map((result) => [refKey(result), result]));
  if (results.some((result) => result.status === 'SyncFailed')) {
    return { next: 'fail', message: 'one or more synchronization tasks completed unsuccessfully' };
  }
  for (const [index, step] of plan.steps.entries()) {
    const tasks = step.tasks.filter((task) => !done.has(task.key));
    if (tasks.length === 0) continue;
    const before = plan.steps[index - 1];
    const settled = before ? settlement(before, liveOf) : undefined;
    if (settled) return settled;
    return { next: 'run', step, tasks, isLast: index === plan.steps.length - 1 };
  }
  const message = results.length > 0 ? 'successfully synced (all tasks run)' : 'successfully synced (no more tasks)';
  return { next: 'finish', message };
}

/** Undefined when the step is over: everything applied is healthy, everything pruned is gone. */
function settlement(step: SyncStep, liveOf: ProgressInput['liveOf']): NextAction | undefined {
  const waiting: string[] = [];
  for (const task of step.tasks) {
    const live = liveOf(task);
    const name = `${task.ref.group ? `${task.ref.group}/` : ''}${task.ref.kind}/${task.ref.name}`;
    if (task.action === 'prune' && live) return { next: 'wait', message: `waiting for deletion of ${name}` };
    if (task.action !== 'apply') continue;
    const health: Health | undefined = live && healthOf(live);
    if (health?.status === 'Degraded') {
      const why = health.message ? `: ${health.message}` : '';
      return { next: 'fail', message: `${name} became Degraded before the next wave${why}` };
    }
    if (!live || (health && health.status !== 'Healthy')) waiting.push(name);
  }
  if (waiting.length === 0) return undefined;
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more resources` : '';
  return { next: 'wait', message: `waiting for healthy state of ${waiting[0]}${more}` };
}
