export { holdRuntime, registerAttached } from './attach-runtime.ts';
export { startAttached, stopAttached } from './background.ts';
