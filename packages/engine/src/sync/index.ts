export { applyStep } from './apply-step.ts';
export { type ApplyDeps, applyTask } from './apply-task.ts';
export { type DeletePhase, hookTypesOf, isHook, isSkipped } from './hook.ts';
export { deleteHook, releaseHook } from './hook-objects.ts';
export { kindRank, waveOf } from './order.ts';
export {
  type HookRun,
  hookTask,
  planSync,
  type SyncHook,
  type SyncPair,
  type SyncPlan,
  type SyncTask,
} from './plan.ts';
export { deletionOf, isRunningResult, progressOf, resultKey, type TaskResult } from './progress.ts';
export { propagationOf } from './propagation.ts';
export { parseSyncOptions, resourceSyncOptions, type SyncOptions } from './sync-options.ts';
