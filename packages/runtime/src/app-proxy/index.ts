export { createAppProxy } from './create-app-proxy.ts';
export { GitJudgement } from './git-judgement.ts';
export { Judge } from './judge.ts';
export { AssertionVerifier } from './verify-assertion.ts';
