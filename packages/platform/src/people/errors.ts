import { FairleadError } from '@fairlead/base';

export class UnknownPersonError extends FairleadError {
  constructor(what: string) {
    super('not_found', `there is no ${what}`);
  }
}

export class PeopleConflictError extends FairleadError {
  /** `field`: of the request, where one of them is what does not go. */
  constructor(message: string, field?: string) {
    super('conflict', message, field ? { details: { field } } : {});
  }
}
