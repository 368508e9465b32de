export { type AppProxyDeps, createAppProxy } from './create-app-proxy.ts';
export { AssertionVerifier } from './verify-assertion.ts';
