import { FairleadError } from '@fairlead/base';
import type { ErrorCode } from '@fairlead/contracts';

/** What stands between a user and a repository, under the code of the contract that says what to do. */
export class GitAccessError extends FairleadError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(code, message, options);
  }
}
