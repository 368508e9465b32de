export { type ApplicationName, ArgoCdClient, type EngineVersion } from './argo-cd-client.ts';
export { EngineRefusedError, EngineUnreachableError } from './errors.ts';
