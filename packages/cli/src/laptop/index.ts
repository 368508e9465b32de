export { checkMachine, freeMiBOf } from './machine.ts';
export { Progress } from './progress.ts';
export type { RoleMessage, SupervisorOrder } from './supervisor.ts';
export { type Up, up } from './up.ts';
