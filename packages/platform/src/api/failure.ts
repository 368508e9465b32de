// Whatever goes wrong leaves as one of the codes of the contract's table. What is not foreseen is `internal`, and its
// message stays in the log.
import { errorMessage, FairleadError } from '@fairlead/base';
import { type ApiErrorBody, type ErrorCode, errorStatus, inputProblemText, type Problem } from '@fairlead/contracts';
import { BadCursorError, isDataError, isStoreUnavailable } from '../store/index.ts';

export class ApiFailure extends FairleadError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, details?: Readonly<Record<string, unknown>>) {
    super(code, message, details ? { details } : {});
  }
}

/** `where` is body, query or path; the first problem is the message, all are in the details. */
export function invalidInput(where: string, problems: readonly Problem[]): ApiFailure {
  return new ApiFailure('bad_request', inputProblemText(where, problems), { in: where, problems });
}

export interface Failure {
  readonly status: number;
  readonly body: ApiErrorBody;
  /** For the log, when the body hides the reason. */
  readonly hidden?: string;
}

export function failureOf(thrown: unknown, requestId: string): Failure {
  const failure = (code: ErrorCode, message: string, hidden?: string): Failure => ({
    status: errorStatus[code],
    body: { code, message, requestId },
    ...(hidden === undefined ? {} : { hidden }),
  });
  if (thrown instanceof BadCursorError) return failure('bad_request', `query field after: ${thrown.message}`);
  if (isStoreUnavailable(thrown)) {
    return failure('unavailable', 'the database does not answer; try again in a moment', errorMessage(thrown));
  }
  if (isDataError(thrown)) return failure('bad_request', 'a value cannot be stored or compared', errorMessage(thrown));
  if (thrown instanceof FairleadError && thrown.code in errorStatus) {
    const { code, message, details } = thrown;
    const known = failure(code as ErrorCode, message);
    return details ? { ...known, body: { ...known.body, details: { ...details } } } : known;
  }
  return failure('internal', 'something went wrong here; the log has more under this request id', errorMessage(thrown));
}
