export { checkMachine } from './machine.ts';
export { postgresBinaries } from './postgres/index.ts';
export { Progress } from './progress.ts';
export type { RoleMessage } from './supervisor.ts';
export { type Up, up } from './up.ts';
