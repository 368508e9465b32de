import { TerminalError } from '@fairlead/base';

/** What somebody wrote cannot be configuration; names the field, the cause and what to write instead. */
export class InvalidConfigurationError extends TerminalError {
  readonly field: string;

  constructor(field: string, reason: string) {
    super('invalid', `${field}: ${reason}`, { details: { field } });
    this.field = field;
  }
}
