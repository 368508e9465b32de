export { GitAccessError } from './errors.ts';
export { type Actor, type CommitWish, GitAccess, type ReadRepository } from './git-access.ts';
export { GitHosting } from './git-hosting.ts';
export { GitRights } from './git-rights.ts';
export { GitTokens } from './git-tokens.ts';
export { providerFailure } from './provider-failure.ts';
export { Sealing } from './sealing.ts';
