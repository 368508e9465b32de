export {
  AuthenticationRefusedError,
  assertGitVersion,
  BoundedCache,
  type CommitMetadata,
  type GitCredentials,
  GitMirrors,
  GitObjectError,
  type RemoteOptions,
  type Repository,
  RepositoryUnreachableError,
  RevisionNotFoundError,
  type TreeEntry,
  TurnQueue,
} from './mirror/index.ts';
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
export { affectsRevision, type PushEvent, parseGitHubPush, WebhookPayloadError } from './webhook/index.ts';
