export { credentialSecrets, credentialsFor } from './repository-credentials.ts';
