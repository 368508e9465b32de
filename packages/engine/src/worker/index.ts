export { OneWorker, WorkerDeadlineError } from './one-worker.ts';
