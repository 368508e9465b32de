// Sealing a Git token to a runtime and giving it over; the laptop's start and `git-token add` do it the same way.
import { type ApiClient, type GitProviderKind, type GitTokenRow, gitTokenPurpose, seal } from '@fairlead/contracts';

interface GivenToken {
  readonly runtime: string;
  /** `https://github.com` */
  readonly url: string;
  readonly provider: GitProviderKind;
  readonly token: string;
  readonly username?: string | undefined;
}

export async function giveGitToken(
  api: ApiClient,
  { runtime, url, provider, token, username }: GivenToken,
  options: { readonly signal?: AbortSignal } = {},
): Promise<GitTokenRow> {
  const { host, origin } = new URL(url);
  const params = { runtime, host };
  const [{ key }, { user }] = await Promise.all([
    api.call('getSealingKey', { params: { runtime } }, options),
    api.call('me', {}, options),
  ]);
  const sealed = await seal(token, { to: key, purpose: gitTokenPurpose({ userId: user.id, host }) });
  const body = { provider, url: origin, sealed, ...(username ? { username } : {}) };
  return api.call('putGitToken', { params, body }, options);
}
