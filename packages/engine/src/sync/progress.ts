// Where a sync stands: given the plan, what was recorded so far, and the cluster, what is next? Pure, so that a sync
// can be taken up again by any process at any time.
//
// A task is recorded when it was carried out, as Running; it is over when its object's health says so. The next step
// begins when everything of the steps before is over. A plan of one step without hooks does not wait for health at all.
import type { ResourceResult } from '@fairlead/contracts';
import { type KubeObject, type ResourceRef, stringAt } from '@fairlead/kube';
import { type Health, healthOf } from '../health/index.ts';
import { type SyncPlan, type SyncTask, taskKey } from './plan.ts';

/** The contract's shape, with the fields of hooks. */
export type TaskResult = ResourceResult & { readonly hookType?: string };

export type NextAction =
  | { readonly next: 'run'; readonly tasks: readonly SyncTask[]; readonly isLast: boolean }
  | { readonly next: 'wait'; readonly message: string }
  | { readonly next: 'fail'; readonly message: string }
  | { readonly next: 'finish'; readonly message: string };

export interface Progress {
  /** The recorded results, brought up to date with the cluster. */
  readonly results: readonly TaskResult[];
  readonly action: NextAction;
}

interface ProgressInput {
  readonly plan: SyncPlan;
  readonly results: readonly TaskResult[];
  readonly liveOf: (ref: ResourceRef) => KubeObject | undefined;
  readonly healthOf?: (object: KubeObject) => Health | undefined;
  /** Nothing was really done, so there is nothing to wait for. */
  readonly dryRun?: boolean;
}

export const resultKey = (result: TaskResult): string => taskKey(result, result.syncPhase ?? 'Sync');
export const isRunningResult = ({ hookPhase, status }: TaskResult): boolean =>
  (hookPhase === undefined && (status === undefined || status === 'Synced')) || hookPhase === 'Running';
const isFailed = ({ hookPhase, status }: TaskResult) =>
  status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error';

export function progressOf(input: ProgressInput): Progress {
  const { plan, liveOf, dryRun = false } = input;
  const judge = input.healthOf ?? healthOf;
  const tasks = new Map(plan.steps.flatMap((step) => step.tasks.map((task) => [task.key, task] as const)));
  const results = input.results.map((result) => {
    const task = tasks.get(resultKey(result));
    return task && isRunningResult(result)
      ? settle(result, task, dryRun ? undefined : liveOf(task.ref), judge)
      : result;
  });
  return { results, action: nextAction({ plan, tasks, results, liveOf, dryRun }) };
}

interface Standing extends Omit<ProgressInput, 'healthOf'> {
  readonly tasks: ReadonlyMap<string, SyncTask>;
  readonly dryRun: boolean;
}

function nextAction({ plan, tasks, results, liveOf, dryRun }: Standing): NextAction {
  const done = new Map(results.map((result) => [resultKey(result), result]));
  if (!dryRun) {
    const isMultiStep = plan.steps.length > 1;
    const running = results.filter(isRunningResult).flatMap((result) => tasks.get(resultKey(result)) ?? []);
    const awaited = running.filter((task) => task.action === 'hook' || (isMultiStep && !isUnawaited(task, plan)));
    if (awaited[0]) return { next: 'wait', message: waitingFor(awaited[0], awaited.length) };
    const going = [...tasks.values()].filter(
      (task) => task.action === 'prune' && done.has(task.key) && liveOf(task.ref),
    );
    if (going[0] && isMultiStep) return { next: 'wait', message: deletionOf(going[0], going.length) };
  }
  const regular = plan.steps.filter((step) => step.phase !== 'SyncFail');
  const emergency = plan.steps.filter((step) => step.phase === 'SyncFail');
  const hasFailed = results.some((result) => isFailed(result) && result.syncPhase !== 'SyncFail');
  const pending = (hasFailed ? emergency : regular).filter((step) => step.tasks.some((task) => !done.has(task.key)));
  const next = pending[0];
  if (next) {
    const open = next.tasks.filter((task) => !done.has(task.key));
    return { next: 'run', tasks: open, isLast: pending.length === 1 };
  }
  if (hasFailed) return { next: 'fail', message: failureText(results) };
  const hasAwaited = regular.at(-1)?.tasks.some(({ action }) => action === 'hook') ?? true;
  return { next: 'finish', message: `successfully synced (${hasAwaited ? 'no more tasks' : 'all tasks run'})` };
}

/** A sync ends with its last step applied, not healthy, unless hooks run in it. */
function isUnawaited(task: SyncTask, { steps }: SyncPlan): boolean {
  const last = steps.findLast((step) => step.phase !== 'SyncFail')?.tasks ?? [];
  return last.includes(task) && !last.some(({ action }) => action === 'hook');
}

/** What the health of the live object makes of a task that was carried out. */
function settle(
  result: TaskResult,
  task: SyncTask,
  live: KubeObject | undefined,
  judge: (object: KubeObject) => Health | undefined,
): TaskResult {
  if (task.action === 'prune' || task.action === 'keep' || !live) return result;
  const health = judge(live);
  if (task.action === 'hook') return settleHook(result, live, health);
  if (!health) return { ...result, hookPhase: 'Succeeded' };
  if (health.status === 'Healthy') return { ...result, hookPhase: 'Succeeded', ...said(health) };
  if (health.status === 'Degraded') return { ...result, hookPhase: 'Failed', ...said(health) };
  return result;
}

function settleHook(
  { status: _applied, ...result }: TaskResult,
  live: KubeObject,
  health: Health | undefined,
): TaskResult {
  if (!health) return { ...result, hookPhase: 'Succeeded', message: `${live.metadata.name} created` };
  const message = health.message ?? '';
  if (health.status === 'Healthy') return { ...result, hookPhase: 'Succeeded', message };
  const isRunning = health.status === 'Progressing' || health.status === 'Suspended';
  return { ...result, hookPhase: isRunning ? 'Running' : 'Failed', message };
}

const said = ({ message }: Health) => (message ? { message } : {});

const nameOf = ({ ref: { group, kind, name } }: SyncTask) => `${group}/${kind}/${name}`;

function waitingFor(task: SyncTask, count: number): string {
  const isHook = task.action === 'hook';
  const more = count > 1 ? ` and ${count - 1} more ${isHook ? 'hooks' : 'resources'}` : '';
  return `waiting for ${isHook ? 'completion of hook' : 'healthy state of'} ${nameOf(task)}${more}`;
}

export function deletionOf(task: SyncTask, count: number): string {
  const more = count > 1 ? ` and ${count - 1} more ${task.action === 'hook' ? 'hooks' : 'resources'}` : '';
  return `waiting for deletion of ${nameOf(task)}${more}`;
}

function failureText(results: readonly TaskResult[]): string {
  const message = 'one or more synchronization tasks completed unsuccessfully';
  const reasons = (failed: readonly TaskResult[]) =>
    failed.map((result) => stringAt(result, 'message') ?? '').join(',');
  const refused = results.filter((result) => result.status === 'SyncFailed' && result.syncPhase !== 'SyncFail');
  const text = refused.length > 0 ? `${message}, reason: ${reasons(refused)}` : message;
  const unsaved = results.filter((result) => result.syncPhase === 'SyncFail' && isFailed(result));
  return unsaved.length > 0 ? `${text}\none or more SyncFail hooks failed, reason: ${reasons(unsaved)}` : text;
}
