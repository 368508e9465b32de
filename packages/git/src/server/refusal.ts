import { TerminalError } from '@fairlead/base';

/** What a client asked for and cannot have; `status` is HTTP's. */
export class Refusal extends TerminalError {
  readonly status: 404 | 405 | 409 | 422;

  constructor(status: Refusal['status'], code: string, message: string) {
    super(code, message);
    this.status = status;
  }
}
