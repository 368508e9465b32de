import { FairleadError } from '@fairlead/base';

/** An address that the platform does not call; the message says which rule, and what to do. */
export class RuntimeAccessError extends FairleadError {
  constructor(message: string) {
    super('invalid', message);
  }
}
