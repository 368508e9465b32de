export { type DeleteOptions, foregroundFinalizer, orphanFinalizer } from './deletion.ts';
export { safeEncode } from './names.ts';
export {
  type ApplyOptions,
  type DeleteResult,
  Objects,
  type Target,
  type WriteOptions,
  type WriteResult,
} from './objects.ts';
export { quotaUsage } from './quotas.ts';
export {
  badRequest,
  conflict,
  forbidden,
  gone,
  invalid,
  invalidOptions,
  methodNotAllowed,
  noSuchPath,
  notFound,
  StatusError,
  tooLarge,
  unauthorized,
  unsupportedMediaType,
} from './status-error.ts';
export { inVersion } from './versions.ts';
