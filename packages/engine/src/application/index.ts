export { ApplicationStore } from './application-store.ts';
export type { ComparedResource, Comparison } from './comparison.ts';
export { ApplicationController } from './controller.ts';
export { isDeleteHookFinalizer } from './delete-hooks.ts';
export { isRunning } from './operation.ts';
export { revisionsIn, sourcesOf } from './sources.ts';
