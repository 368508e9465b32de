export { type LeaderElectionOptions, runLeaderElection, type Term } from './leader-election.ts';
export { type ReconcileResult, runWorkers, type WorkersOptions } from './run-workers.ts';
export { WorkQueue, type WorkQueueOptions, type WorkQueueStats } from './work-queue.ts';
