import { FairleadError, RetryableError } from '@fairlead/base';

/** The tunnel went away while a request was under way, or before it was sent. */
export class TunnelCutError extends RetryableError {
  /** False only when it is certain that the runtime has not seen the request. */
  readonly maybeDelivered: boolean;

  constructor(message: string, options: { readonly maybeDelivered: boolean; readonly cause?: unknown }) {
    super('tunnel_cut', message, { cause: options.cause });
    this.maybeDelivered = options.maybeDelivered;
  }
}

/** A bound of this tunnel is reached; nothing was sent. */
export class TunnelLimitError extends FairleadError {
  constructor(message: string) {
    super('tunnel_limit', message);
  }
}

/** The platform does not take this runtime. `never`: trying again gives the same answer until a person acts. */
export class TunnelRefusedError extends FairleadError {
  readonly retry: 'later' | 'never';

  constructor(code: string, message: string, retry: 'later' | 'never') {
    super(code, message);
    this.retry = retry;
  }
}

/** The peer says something the handshake does not allow. */
export class TunnelProtocolError extends FairleadError {
  constructor(message: string) {
    super('tunnel_protocol', message);
  }
}
