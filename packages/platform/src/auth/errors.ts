import { FairleadError } from '@fairlead/base';

/** The caller is not who they say, or says nothing. The message never tells which part was wrong about a secret. */
export class AuthError extends FairleadError {
  constructor(message = 'sign in first: no valid session, API key or runtime token was given') {
    super('not_signed_in', message);
  }
}

/** The runtime was never registered here, or was removed: coming back does not help. */
export class UnknownRuntimeError extends AuthError {
  constructor() {
    super('this runtime is not known here, or was removed');
  }
}
