import { FairleadError } from '@fairlead/base';
import { isRecord } from '../object/index.ts';

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** What an API server answered instead of the thing asked for: its `Status` object, or the bare HTTP code. */
export class KubeApiError extends FairleadError {
  readonly status: number;
  /** Kubernetes' own word: NotFound, AlreadyExists, Conflict, Expired, Invalid, Forbidden… */
  readonly reason: string;
  declare readonly details: StatusDetails & Readonly<Record<string, unknown>>;

  constructor(fields: { status: number; reason: string; message: string; details?: StatusDetails }) {
    super('kube_api', fields.message, { details: { ...fields.details } });
    this.status = fields.status;
    this.reason = fields.reason;
  }
}

/** No answer: refused, reset, timed out, bad certificate. The request may or may not have been carried out. */
export class KubeConnectionError extends FairleadError {
  constructor(message: string, options: { cause?: unknown }) {
    super('kube_connection', message, options);
  }
}

/** The server does not know the kind (now). */
export class UnknownKindError extends FairleadError {
  constructor(apiVersion: string, kind: string) {
    super('kube_unknown_kind', `the server has no kind ${kind} in ${apiVersion}`, { details: { apiVersion, kind } });
  }
}

export function apiErrorOf(body: unknown, httpStatus: number): KubeApiError {
  if (isRecord(body) && body['kind'] === 'Status') {
    const details = isRecord(body['details']) ? (body['details'] as StatusDetails) : undefined; // the wire's own shape
    return new KubeApiError({
      status: typeof body['code'] === 'number' ? body['code'] : httpStatus,
      reason: typeof body['reason'] === 'string' ? body['reason'] : '',
      message: typeof body['message'] === 'string' ? body['message'] : `HTTP ${httpStatus}`,
      ...(details ? { details } : {}),
    });
  }
  const text = typeof body === 'string' && body.trim() !== '' ? body.trim().slice(0, 500) : `HTTP ${httpStatus}`;
  return new KubeApiError({ status: httpStatus, reason: '', message: text });
}

const isApiError = (thrown: unknown, status: number) => thrown instanceof KubeApiError && thrown.status === status;

export const isNotFound = (thrown: unknown): thrown is KubeApiError => isApiError(thrown, 404);
export const isForbidden = (thrown: unknown): thrown is KubeApiError => isApiError(thrown, 403);
export const isUnauthorized = (thrown: unknown): thrown is KubeApiError => isApiError(thrown, 401);
export const isInvalid = (thrown: unknown): thrown is KubeApiError => isApiError(thrown, 422);
export const isTooManyRequests = (thrown: unknown): thrown is KubeApiError => isApiError(thrown, 429);
/** The resourceVersion or continue token is older than the server's history: only a fresh list is safe. */
export const isGone = (thrown: unknown): thrown is KubeApiError => isApiError(thrown, 410);
/** Somebody else changed the object, or owns the field. Not `AlreadyExists`, which shares the code 409. */
export const isConflict = (thrown: unknown): thrown is KubeApiError =>
  isApiError(thrown, 409) && (thrown as KubeApiError).reason !== 'AlreadyExists';
export const isAlreadyExists = (thrown: unknown): thrown is KubeApiError =>
  isApiError(thrown, 409) && (thrown as KubeApiError).reason === 'AlreadyExists';
