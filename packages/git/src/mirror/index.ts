export { credentialsOfSecret, hasIdentity, trustOfConfigMaps } from './argo-credentials.ts';
export {
  AuthenticationRefusedError,
  GitObjectError,
  HostNotTrustedError,
  RepositoryUnreachableError,
  RevisionNotFoundError,
} from './errors.ts';
export { assertGitVersion, gitEnvironment } from './git-command.ts';
export { GitMirrors, type RemoteOptions } from './git-mirrors.ts';
export { KeyedTurns } from './keyed-turns.ts';
export { type CommitMetadata, isLfsPointer, type TreeEntry } from './objects.ts';
export { PushRefusedError } from './push.ts';
export type { GitCredentials, RemoteTrust } from './remote-access.ts';
export type { Repository } from './repository.ts';
