export { hostedRuntimes, recordProgress, requestHosted } from './hosted-runtime.ts';
export { setupState } from './state.ts';
