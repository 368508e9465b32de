export { diffObject, isUnchangedBy, lastApplied, type ObjectDiff } from './diff.ts';
export { type IgnoreRule, ignoredExpressions, ignoredPointers, withLiveValues } from './ignore-differences.ts';
export { JqRunner } from './jq.ts';
export { maskSecrets } from './mask-secrets.ts';
export { normalize } from './normalize.ts';
