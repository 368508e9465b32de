// Errors on the wire: `{code, message, details?, requestId}`. One table of codes with their HTTP status.
import { type Static, Type } from 'typebox';

export const errorStatus = {
  bad_request: 400,
  not_signed_in: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  operation_in_progress: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  /** The user has no Git token in the runtime for this host: `details` = `{host, runtime?}`. */
  git_token_missing: 422,
  /** The Git host does not take the user's token, or it lacks rights: `details` = `{host, reason}`. */
  git_token_refused: 422,
  /** Nothing in Git defines the application, so nothing can be committed for it: `details` = `{application}`. */
  git_source_missing: 422,
  invalid: 422,
  too_many_requests: 429,
  internal: 500,
  engine_refused: 502,
  runtime_unreachable: 503,
  unavailable: 503,
  outcome_unknown: 504,
} as const;
export type ErrorCode = keyof typeof errorStatus;

export const ApiErrorBody = Type.Object({
  code: Type.String(),
  message: Type.String(),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  requestId: Type.String(),
});
export type ApiErrorBody = Static<typeof ApiErrorBody>;
