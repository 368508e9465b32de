export { GitAccessError } from './errors.ts';
export { type Actor, type CommitWish, GitAccess, type ReadRepository } from './git-access.ts';
export { GitTokens } from './git-tokens.ts';
