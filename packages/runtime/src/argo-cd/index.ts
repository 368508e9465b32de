export {
  type ApplicationName,
  ArgoCdClient,
  type EngineLogLine,
  type EngineResource,
  type EngineVersion,
} from './argo-cd-client.ts';
export { EngineRefusedError, EngineUnreachableError } from './errors.ts';
