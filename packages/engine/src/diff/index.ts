export type { Verdict } from './compare-fields.ts';
export { diffObject, isUnchangedBy, lastApplied, type ObjectDiff } from './diff.ts';
export type { IgnoreRule } from './ignore-differences.ts';
export { maskSecrets } from './mask-secrets.ts';
export { isSecret, normalize } from './normalize.ts';
