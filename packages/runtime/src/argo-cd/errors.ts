import { FairleadError, RetryableError } from '@fairlead/base';

/** The engine answered, and the answer was no. `status` is HTTP's. */
export class EngineRefusedError extends FairleadError {
  readonly status: number;

  constructor(status: number, message: string) {
    super('engine_refused', message, { details: { status } });
    this.status = status;
  }
}

/** No answer; what was asked may or may not have been done. */
export class EngineUnreachableError extends RetryableError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('engine_unreachable', message, options);
  }
}
