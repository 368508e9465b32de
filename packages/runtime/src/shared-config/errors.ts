import { FairleadError } from '@fairlead/base';
import type { ErrorCode } from '@fairlead/contracts';

/** Why the configuration cannot be changed like this, under the code of the contract that says what to do. */
export class ConfigurationError extends FairleadError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(code, message, options);
  }
}
