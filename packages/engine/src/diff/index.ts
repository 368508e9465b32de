export { diffObject, isUnchangedBy, lastApplied, type ObjectDiff } from './diff.ts';
export type { IgnoreRule } from './ignore-differences.ts';
export { maskSecrets } from './mask-secrets.ts';
export { normalize } from './normalize.ts';
