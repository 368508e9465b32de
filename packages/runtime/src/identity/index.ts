export { IdentityWatch } from './identity-watch.ts';
export { readIdentity } from './read-identity.ts';
export { type RegisterOptions, registerRuntime } from './register-runtime.ts';
export { RuntimeTokens } from './runtime-tokens.ts';
export { fairleadLabels, fieldsOf, partOfFairlead, secretOf, secretRef } from './secret.ts';
