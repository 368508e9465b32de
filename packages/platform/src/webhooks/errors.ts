import { FairleadError } from '@fairlead/base';

export class WebhookError extends FairleadError {
  constructor(code: 'not_found' | 'conflict' | 'invalid', message: string) {
    super(code, message);
  }
}
