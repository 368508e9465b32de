import { FairleadError, RetryableError } from '@fairlead/base';

/** The engine answered, and the answer was no. `status` is HTTP's. */
export class EngineRefusedError extends FairleadError {
  readonly status: number;

  constructor(status: number, message: string) {
    super('engine_refused', message, { details: { status } });
    this.status = status;
  }
}

/** No answer; what was asked may or may not have been done, unless it was never sent. */
export class EngineUnreachableError extends RetryableError {
  readonly wasSent: boolean;

  constructor(message: string, { cause, wasSent = true }: { cause?: unknown; wasSent?: boolean } = {}) {
    super('engine_unreachable', message, { cause });
    this.wasSent = wasSent;
  }
}
