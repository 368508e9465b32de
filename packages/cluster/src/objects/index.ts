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
export {
  badRequest,
  gone,
  invalidOptions,
  methodNotAllowed,
  noSuchPath,
  StatusError,
  tooLarge,
  unauthorized,
  unsupportedMediaType,
} from './status-error.ts';
export { inVersion } from './versions.ts';
