export {
  InvalidRepositoryUrlError,
  isSameRepository,
  normalizeRepositoryUrl,
  type ParsedRepositoryUrl,
  parseRepositoryUrl,
  redactUrl,
} from './repository-url.ts';
