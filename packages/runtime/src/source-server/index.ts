export { Rendering } from './rendering.ts';
export { RepositorySecrets } from './repository-secrets.ts';
