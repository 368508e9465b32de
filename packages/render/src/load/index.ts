export type { PushLook } from './push-look.ts';
export { type RepositoryAccessOptions, RepositoryCredentials, RepositoryTrust } from './repository-access.ts';
export { type LoadedSources, manifestsOf, type RenderContext, SourceLoader } from './source-loader.ts';
