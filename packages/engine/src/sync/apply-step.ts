import { mapLimit } from '@fairlead/base';
import { type ApplyDeps, applyTask } from './apply-task.ts';
import type { SyncTask } from './plan.ts';
import type { TaskResult } from './progress.ts';
import type { SyncOptions } from './sync-options.ts';

/** Objects of one kind that are written to the API server at the same time. */
const parallel = 10;

/**
 * Prunes first, then kind by kind; a failure does not stop the rest of the step, so that all of them are reported. A
 * hook that has to wait for its predecessor to go gives no result yet.
 */
export async function applyStep(
  tasks: readonly SyncTask[],
  options: SyncOptions,
  deps: ApplyDeps,
): Promise<TaskResult[]> {
  const results: TaskResult[] = [];
  for (const group of groups(tasks)) {
    deps.signal.throwIfAborted();
    const done = await mapLimit(group, parallel, (task) => applyTask(task, options, deps));
    results.push(...done.flatMap((result) => result ?? []));
  }
  return results;
}

/** Tasks come in order; neighbours of one kind are independent of each other. */
function groups(tasks: readonly SyncTask[]): SyncTask[][] {
  const found: SyncTask[][] = [];
  const nameOf = (task: SyncTask) => (task.action === 'prune' || task.action === 'keep' ? '' : task.ref.kind);
  for (const task of tasks) {
    const last = found.at(-1);
    if (last?.[0] && nameOf(last[0]) === nameOf(task)) last.push(task);
    else found.push([task]);
  }
  return found;
}
