export { createAppProxy } from './create-app-proxy.ts';
export { AssertionVerifier } from './verify-assertion.ts';
