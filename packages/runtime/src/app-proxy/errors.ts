import { errorMessage, FairleadError } from '@fairlead/base';
import { type ApiErrorBody, type ErrorCode, errorStatus } from '@fairlead/contracts';
import { EngineRefusedError, EngineUnreachableError } from '../argo-cd/index.ts';

export class ProxyError extends FairleadError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(code, message, options);
  }
}

/** The engine's own words, under the code that tells what to do. */
export function engineFailure(error: unknown): unknown {
  if (error instanceof EngineUnreachableError) {
    return wasNeverSent(error)
      ? new ProxyError('unavailable', 'the GitOps engine of the runtime does not answer', { cause: error })
      : new ProxyError('outcome_unknown', 'the GitOps engine did not answer; the act may have happened', {
          cause: error,
        });
  }
  if (!(error instanceof EngineRefusedError)) return error;
  const { status, message } = error;
  if (/another operation is already in progress/i.test(message))
    return new ProxyError('operation_in_progress', message);
  // Argo CD answers 403 for an application that is not there, so as not to tell which names exist.
  if (status === 404 || status === 403) return new ProxyError('not_found', message);
  if (status === 400 || status === 422) return new ProxyError('invalid', message);
  return new ProxyError('engine_refused', message);
}

function wasNeverSent(error: EngineUnreachableError): boolean {
  if (!error.wasSent) return true;
  const code = (error.cause as { code?: unknown } | undefined)?.code;
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ENOENT';
}

export function failureOf(error: unknown, requestId: string): { status: number; body: ApiErrorBody; hidden?: string } {
  if (error instanceof FairleadError && error.code in errorStatus) {
    const { code, message, details } = error;
    const body = { code, message, ...(details ? { details: { ...details } } : {}), requestId };
    return { status: errorStatus[code as ErrorCode], body };
  }
  const body = { code: 'internal', message: 'the app-proxy failed; its log has more under this request id', requestId };
  return { status: 500, body, hidden: errorMessage(error) };
}
