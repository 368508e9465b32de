// The local administrator's token for the built-in git server, given to the runtime the way any user gives theirs.
import type { ApiClient } from '@fairlead/contracts';
import { giveGitToken } from '../git-token.ts';

interface LocalToken {
  readonly api: ApiClient;
  readonly runtime: string;
  readonly gitUrl: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

export async function ensureGitToken({ api, runtime, gitUrl, apiKey, signal }: LocalToken): Promise<void> {
  const { items } = await api.call('listGitTokens', { params: { runtime } }, { signal });
  const { host } = new URL(gitUrl);
  if (items.some((row) => row.host === host && row.status === 'valid')) return;
  await giveGitToken(api, { runtime, url: gitUrl, provider: 'builtin', token: apiKey }, { signal });
}
