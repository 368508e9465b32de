export { type DeleteOptions, foregroundFinalizer, orphanFinalizer } from './deletion.ts';
export { generateName, safeEncode } from './names.ts';
export {
  type ApplyOptions,
  type DeleteResult,
  Objects,
  type Target,
  type WriteOptions,
  type WriteResult,
} from './objects.ts';
export {
  alreadyExists,
  badRequest,
  gone,
  methodNotAllowed,
  noSuchPath,
  notFound,
  StatusError,
  tooLarge,
  unauthorized,
  unsupportedMediaType,
} from './status-error.ts';
export { inVersion } from './versions.ts';
