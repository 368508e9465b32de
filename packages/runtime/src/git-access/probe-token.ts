import type { GitProviderKind } from '@fairlead/contracts';
import { BuiltinProvider, GitHubProvider, ProviderAuthenticationError, ProviderForbiddenError } from '@fairlead/git';
import { GitAccessError } from './errors.ts';

interface Probed {
  readonly user?: string;
  readonly scopes?: readonly string[];
  readonly expiresAt?: string;
}

interface ProbeInput {
  readonly provider: GitProviderKind;
  readonly url: string;
  readonly username?: string | undefined;
  readonly token: string;
}

/** The provider of a host, speaking with this token; undefined for a server that has no API we know. */
export function providerOf({
  provider,
  url,
  username,
  token,
}: ProbeInput): BuiltinProvider | GitHubProvider | undefined {
  if (provider === 'builtin')
    return new BuiltinProvider({ url, apiKey: token, ...(username ? { user: username } : {}) });
  if (provider === 'github') return new GitHubProvider({ token, webUrl: url });
  return undefined;
}

/** What the provider says of the token; refuses one that it does not take. */
export async function probeToken(input: ProbeInput, options: { signal?: AbortSignal | undefined }): Promise<Probed> {
  const { host } = new URL(input.url);
  try {
    return (await providerOf(input)?.probeToken(options)) ?? {};
  } catch (error) {
    if (!(error instanceof ProviderAuthenticationError || error instanceof ProviderForbiddenError)) throw error;
    const message = `${host} does not take this token; make a new one there and add it again`;
    throw new GitAccessError('git_token_refused', message, { cause: error, details: { host, reason: error.message } });
  }
}
