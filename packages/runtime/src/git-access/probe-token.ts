import type { GitProviderKind } from '@fairlead/contracts';
import {
  createProvider,
  type GitProvider,
  ProviderAuthenticationError,
  ProviderForbiddenError,
  type TokenProbe,
} from '@fairlead/git';
import { GitAccessError } from './errors.ts';

interface ProbeInput {
  readonly provider: GitProviderKind;
  readonly url: string;
  readonly username?: string | undefined;
  readonly token: string;
  /** PEM; absent: whom the machine believes. */
  readonly authority?: string | undefined;
}

/** The provider of a host, speaking with this token; undefined for a server that has no API we know. */
export function providerOf({ provider: kind, url, username, token, authority }: ProbeInput): GitProvider | undefined {
  if (kind === 'other') return undefined;
  if (kind === 'gerrit' && !username) {
    const message = 'body field username: Gerrit wants a user name beside the HTTP password';
    throw new GitAccessError('bad_request', message);
  }
  return createProvider({ kind, url, token, username, authority });
}

/** What the provider says of the token; refuses one that it does not take. */
export async function probeToken(
  input: ProbeInput,
  options: { signal?: AbortSignal | undefined },
): Promise<Partial<TokenProbe>> {
  const { host } = new URL(input.url);
  try {
    return (await providerOf(input)?.probeToken(options)) ?? {};
  } catch (error) {
    if (!(error instanceof ProviderAuthenticationError || error instanceof ProviderForbiddenError)) throw error;
    const missing = error instanceof ProviderForbiddenError ? error.missingScopes : [];
    const lack = missing.length > 0 ? ` (it lacks ${missing.join(', ')})` : '';
    const message = `${host} does not take this token${lack}; make a new one there and add it again`;
    throw new GitAccessError('git_token_refused', message, { cause: error, details: { host, reason: error.message } });
  }
}
