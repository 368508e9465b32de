import { type ApiClient, type GitProviderKind, type GitTokenRow, gitTokenPurpose, seal } from '@fairlead/contracts';

interface OwnGitToken {
  readonly runtime: string;
  readonly userId: string;
  /** `https://github.com` */
  readonly url: string;
  readonly provider: GitProviderKind;
  readonly token: string;
  readonly username?: string | undefined;
}

/** Seals the token in this browser to the runtime's key and gives it to the runtime; nobody between can read it. */
export async function putOwnGitToken(
  api: ApiClient,
  { runtime, userId, url, provider, token, username }: OwnGitToken,
): Promise<GitTokenRow> {
  const { host } = new URL(url);
  const { key } = await api.call('getSealingKey', { params: { runtime } });
  const sealed = await seal(token, { to: key, purpose: gitTokenPurpose({ userId, host }) });
  const body = { provider, url, sealed, ...(username ? { username } : {}) };
  return api.call('putGitToken', { params: { runtime, host }, body });
}
