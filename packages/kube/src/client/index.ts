export {
  type ConnectionPlace,
  checkConnectionPlace,
  connectionOf,
  connectionSettings,
} from './connection-settings.ts';
export { CredentialError } from './credentials.ts';
export type { ApiResource, DiscoveryResult } from './discovery.ts';
export {
  apiErrorOf,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  KubeApiError,
  KubeConnectionError,
  type StatusCause,
  type StatusDetails,
  UnknownKindError,
} from './errors.ts';
export {
  type CallOptions,
  type DeleteOptions,
  KubeClient,
  type KubeList,
  type ListQuery,
  type LogOptions,
  type PageQuery,
  type PatchOptions,
  type Verb,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from './kube-client.ts';
export {
  type ClusterConnection,
  type ExecPlugin,
  type KubeContext,
  KubeconfigError,
  listContexts,
  loadKubeconfig,
} from './kubeconfig.ts';
export { type TimedLine, timedLines } from './log-lines.ts';
export { retryOnConflict } from './retry-on-conflict.ts';
export { readStoredCluster, type StoredConnection } from './stored-cluster.ts';
export type { ApiRequest, TransportOptions } from './transport.ts';
