export { RepositoryCredentials } from './repository-credentials.ts';
export { RepositoryTrust } from './repository-trust.ts';
