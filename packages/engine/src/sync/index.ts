export { applyStep } from './apply-step.ts';
export { type ApplyDeps, withLastApplied } from './apply-task.ts';
export { hookTypes, isSkipped, kindRank, waveOf } from './order.ts';
export { planSync, type SyncPair, type SyncPlan, type SyncTask } from './plan.ts';
export { type NextAction, nextAction } from './progress.ts';
export { parseSyncOptions, resourceSyncOptions, type SyncOptions } from './sync-options.ts';
