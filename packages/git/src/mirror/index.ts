export { BoundedCache } from './bounded-cache.ts';
export {
  AuthenticationRefusedError,
  GitObjectError,
  RepositoryUnreachableError,
  RevisionNotFoundError,
} from './errors.ts';
export { assertGitVersion, type GitCredentials, gitEnvironment } from './git-command.ts';
export { GitMirrors, type RemoteOptions } from './git-mirrors.ts';
export { KeyedTurns } from './keyed-turns.ts';
export type { CommitMetadata, TreeEntry } from './objects.ts';
export { PushRefusedError } from './push.ts';
export type { Repository } from './repository.ts';
