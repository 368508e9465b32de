import { TerminalError } from '@fairlead/base';

/** Somebody is not who they say, or asks for something about an account that is not there or not allowed. */
export class IdentityError extends TerminalError {
  readonly why: 'unknown' | 'missing' | 'invalid';

  constructor(message: string, why: IdentityError['why'] = 'unknown', options: ErrorOptions = {}) {
    super(`identity_${why}`, message, options);
    this.why = why;
  }
}
