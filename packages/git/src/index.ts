export {
  BranchBusyError,
  type CommitFilesRequest,
  type CommitOutcome,
  ConflictError,
  diffTrees,
  type FileChange,
  type FileDifference,
  type FileVersion,
  GitCommits,
  type Identity,
  InvalidChangeError,
  logPath,
  mergeBase,
  type PathConflict,
  type RevertCommitRequest,
} from './commit/index.ts';
export { emulateProvider, type ProviderEmulator } from './emulator/index.ts';
export {
  AuthenticationRefusedError,
  assertGitVersion,
  BoundedCache,
  type CommitMetadata,
  type GitCredentials,
  GitMirrors,
  GitObjectError,
  PushRefusedError,
  type RemoteOptions,
  type Repository,
  RepositoryUnreachableError,
  RevisionNotFoundError,
  type TreeEntry,
} from './mirror/index.ts';
export {
  BuiltinProvider,
  createProvider,
  type GitProvider,
  gitUsernameOf,
  type Page,
  type Permission,
  ProviderAuthenticationError,
  ProviderForbiddenError,
  type ProviderKind,
  ProviderNotFoundError,
  ProviderRateLimitError,
  ProviderRefusedError,
  type ProviderRepository,
  ProviderUnavailableError,
  ProviderUnsupportedError,
  type PullRequest,
  repositoryNameOf,
  scopesLacking,
  type TokenProbe,
} from './provider/index.ts';
export { gitServerRole } from './roles/git-server.ts';
export { GitServer } from './server/index.ts';
export { WorkingCopy } from './testing.ts';
export {
  InvalidRepositoryUrlError,
  isSameRepository,
  normalizeRepositoryUrl,
  parseRepositoryUrl,
  redactUrl,
} from './url/index.ts';
export {
  affectsRevision,
  type PushEvent,
  readWebhook,
  WebhookPayloadError,
  WebhookSignatureError,
} from './webhook/index.ts';
