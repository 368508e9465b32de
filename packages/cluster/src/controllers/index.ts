export type { Controller } from './context.ts';
export { type ControllerOptions, startControllers } from './start.ts';
