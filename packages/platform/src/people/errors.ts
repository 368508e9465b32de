import { FairleadError } from '@fairlead/base';

export class UnknownPersonError extends FairleadError {
  constructor(what: string) {
    super('not_found', `there is no ${what}`);
  }
}

export class PeopleConflictError extends FairleadError {
  constructor(message: string) {
    super('conflict', message);
  }
}
