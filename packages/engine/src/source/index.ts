export { findCredentials, RepositoryCredentials } from './repository-credentials.ts';
export { type LoadedSource, SourceLoader } from './source-loader.ts';
