import {
  ProviderAuthenticationError,
  ProviderForbiddenError,
  ProviderNotFoundError,
  ProviderRateLimitError,
  ProviderRefusedError,
  ProviderUnavailableError,
  ProviderUnsupportedError,
} from '@fairlead/git';
import { GitAccessError } from './errors.ts';

/** What a Git provider said, under the code that tells what to do; any other error as it is. */
export function providerFailure(error: unknown, host?: string): unknown {
  const details = host === undefined ? {} : { host };
  if (error instanceof ProviderAuthenticationError || error instanceof ProviderForbiddenError) {
    const told = { ...details, reason: error.message };
    return new GitAccessError('git_token_refused', error.message, { cause: error, details: told });
  }
  if (error instanceof ProviderNotFoundError) return new GitAccessError('not_found', error.message, { cause: error });
  if (error instanceof ProviderRefusedError || error instanceof ProviderUnsupportedError)
    return new GitAccessError('invalid', error.message, { cause: error });
  if (error instanceof ProviderUnavailableError) {
    const where = host === undefined ? 'it' : host;
    const message = `${error.message}; the runtime must be able to reach ${where}: check the address, and the network of the runtime`;
    return new GitAccessError('unavailable', message, { cause: error });
  }
  if (error instanceof ProviderRateLimitError)
    return new GitAccessError('unavailable', error.message, { cause: error });
  return error;
}
