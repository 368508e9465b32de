export { createAppProxy } from './create-app-proxy.ts';
export { Judge } from './judge.ts';
export { AssertionVerifier } from './verify-assertion.ts';
