export {
  type ApplicationName,
  ArgoCdClient,
  type EngineLogLine,
  type EngineResource,
  type EngineVersion,
} from './argo-cd-client.ts';
export type { ConnectionOptions } from './engine-connection.ts';
export { EngineRefusedError, EngineUnreachableError } from './errors.ts';
export { engineServiceLabels, findEngine } from './find-engine.ts';
export { unsupportedReason } from './supported-version.ts';
