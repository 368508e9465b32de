export type { PushLook } from './push-look.ts';
export {
  chartRepositoriesIn,
  credentialsIn,
  type RepositorySecret,
  repositorySecretSelector,
} from './repository-secrets.ts';
export { type LoadedSources, manifestsOf, type RenderContext, SourceLoader } from './source-loader.ts';
