export { diffObject, isUnchangedBy, lastApplied, type ObjectDiff } from './diff.ts';
export {
  type IgnoreRule,
  ignoredExpressions,
  ignoredManagers,
  ignoredPointers,
  withLiveValues,
  withoutPointers,
} from './ignore-differences.ts';
export { JqError, JqRunner } from './jq.ts';
export { withoutManagedBy } from './managed-fields.ts';
export { maskSecrets } from './mask-secrets.ts';
export { normalize } from './normalize.ts';
