// What a provider can answer instead of what was asked for. Messages name the provider and the call, never the token.
import { RetryableError, TerminalError, WaitingError } from '@fairlead/base';

/** 401: the token is wrong, revoked or has ended. */
export class ProviderAuthenticationError extends TerminalError {
  constructor(what: string) {
    super('provider_authentication', `${what}: the token was not accepted; give a new one`);
  }
}

/** 403: the token is known and may not do this. */
export class ProviderForbiddenError extends TerminalError {
  /** As the provider calls them; empty when it does not tell. */
  readonly missingScopes: readonly string[];

  constructor(what: string, reason: string, missingScopes: readonly string[] = []) {
    const advice =
      missingScopes.length > 0
        ? `the token needs ${missingScopes.join(', ')}; make one with it`
        : "check the token's scopes and the user's rights";
    super('provider_forbidden', `${what}: not allowed (${reason}); ${advice}`);
    this.missingScopes = missingScopes;
  }
}

/** 404: not there, or hidden from this token. */
export class ProviderNotFoundError extends TerminalError {
  constructor(what: string) {
    super('provider_not_found', `${what}: not found, or not visible with this token`);
  }
}

/** 405, 409, 422 and the like: understood and refused. */
export class ProviderRefusedError extends TerminalError {
  readonly status: number;

  constructor(what: string, status: number, reason: string) {
    super('provider_refused', `${what}: refused (${reason})`, { details: { status } });
    this.status = status;
  }
}

/** 429, or 403 with a limit used up, for longer than a call waits by itself. */
export class ProviderRateLimitError extends WaitingError {
  constructor(what: string, retryAfterMs: number) {
    const seconds = Math.ceil(retryAfterMs / 1000);
    super('provider_rate_limit', `${what}: too many calls; the provider asks to wait ${seconds} s`, retryAfterMs);
  }
}

/** No answer, 5xx, or an answer that is not the provider's. */
export class ProviderUnavailableError extends RetryableError {
  constructor(what: string, reason: string, options: { cause?: unknown } = {}) {
    super('provider_unavailable', `${what}: ${reason}`, options);
  }
}

/** The provider has no such thing; no other token or time will change that. */
export class ProviderUnsupportedError extends TerminalError {
  constructor(provider: string, feature: string) {
    super('provider_unsupported', `${provider} has no ${feature}`);
  }
}
