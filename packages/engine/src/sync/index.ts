export { applyStep } from './apply-step.ts';
export type { ApplyDeps } from './apply-task.ts';
export { hookTypes, isSkipped, kindRank, waveOf } from './order.ts';
export { planSync, type SyncPair } from './plan.ts';
export { nextAction } from './progress.ts';
export { parseSyncOptions, resourceSyncOptions, type SyncOptions } from './sync-options.ts';
