// Sealing a Git token to a runtime and giving it over; the laptop's start and `git-token add` do it the same way.
import { FairleadError } from '@fairlead/base';
import {
  type ApiClient,
  type GitProviderKind,
  type GitTokenRow,
  gitProviders,
  gitTokenPurpose,
  seal,
} from '@fairlead/contracts';

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

export const gitProviderKinds = Object.keys(gitProviders) as GitProviderKind[]; // its keys are the kinds

/** The provider that a flag names. */
export function gitProviderOf(flag: string, named: string): GitProviderKind {
  const kind = gitProviderKinds.find((known) => known === named);
  if (kind) return kind;
  throw new FairleadError('bad_usage', `${flag} ${named}: must be one of ${gitProviderKinds.join(', ')}`);
}

/** Asked for before the token is: without it the provider would refuse. */
export function assertUsername(kind: GitProviderKind, username: string | undefined): void {
  const wanted = gitProviders[kind].username;
  if (wanted?.isRequired && !username) {
    throw new FairleadError('bad_usage', `${gitProviders[kind].label} wants a user name; give it with --username`);
  }
}
