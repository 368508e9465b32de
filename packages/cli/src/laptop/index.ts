export { stopLeftovers } from './leftovers.ts';
export { checkMachine, freeMiBOf } from './machine.ts';
export { chooseRuntimePorts, onFreePorts } from './ports.ts';
export { type ProcessPlan, runtimeSide } from './processes.ts';
export { Progress } from './progress.ts';
export { planRuntime } from './runtimes/index.ts';
export { type RoleMessage, Supervisor, type SupervisorOrder } from './supervisor.ts';
export { type Up, up } from './up.ts';
