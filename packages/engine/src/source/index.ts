export type { PushLook } from './push-look.ts';
export { RepositoryCredentials } from './repository-credentials.ts';
export { RepositoryTrust } from './repository-trust.ts';
export { type LoadedSources, manifestsOf, type RenderContext, SourceLoader } from './source-loader.ts';
