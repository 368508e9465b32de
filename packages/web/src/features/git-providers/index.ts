export { CredentialFields, isOfToken, useCredential } from './credential-fields.tsx';
export { connectableProviders, tokenProviders } from './git-providers.ts';
