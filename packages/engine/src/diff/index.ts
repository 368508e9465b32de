export { diffObject, isUnchangedBy, lastApplied, type ObjectDiff } from './diff.ts';
export { type IgnoreRule, ignoredPointers, withLiveValues } from './ignore-differences.ts';
export { maskSecrets } from './mask-secrets.ts';
export { normalize } from './normalize.ts';
