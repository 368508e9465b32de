export { IdentityWatch } from './identity-watch.ts';
export { type RegisterOptions, registerRuntime } from './register-runtime.ts';
export { RuntimeTokens } from './runtime-tokens.ts';
export { fieldsOf, secretOf, secretRef } from './secret.ts';
