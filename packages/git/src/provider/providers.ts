// Every provider by its kind, and what is known of a kind without asking: the user name that git wants beside a token,
// the scopes a token needs, and which repository an address means.
import { TerminalError } from '@fairlead/base';
import { BitbucketProvider } from './bitbucket-provider.ts';
import { BuiltinProvider } from './builtin-provider.ts';
import { GerritProvider } from './gerrit-provider.ts';
import type { GitProvider, ProviderKind } from './git-provider.ts';
import { GiteaProvider } from './gitea-provider.ts';
import { GitHubProvider } from './github-provider.ts';
import { GitLabProvider } from './gitlab-provider.ts';

export interface ProviderAccount {
  readonly kind: ProviderKind;
  /** Where people look: `https://gitlab.example.com`. */
  readonly url: string;
  readonly token: string;
  /** Where its API is; default: what belongs to `url`. */
  readonly apiUrl?: string | undefined;
  /** Gerrit: needed. Bitbucket: the Atlassian e-mail of an API token. Others: who is shown as the pusher, or nothing. */
  readonly username?: string | undefined;
  /** Whom to believe about its address, PEM; default: whom the machine believes. */
  readonly authority?: string | undefined;
}

export function createProvider({ kind, url, token, username, apiUrl, authority }: ProviderAccount): GitProvider {
  switch (kind) {
    case 'builtin':
      return new BuiltinProvider({ url, apiKey: token, authority, ...(username ? { user: username } : {}) });
    case 'github':
      return new GitHubProvider({ token, webUrl: url, apiUrl, authority });
    case 'gitlab':
      return new GitLabProvider({ token, webUrl: url, apiUrl, authority });
    case 'gitea':
      return new GiteaProvider({ token, webUrl: url, apiUrl, authority });
    case 'bitbucket':
      return new BitbucketProvider({ token, username, webUrl: url, apiUrl, authority });
    case 'gerrit':
      if (!username) throw new TerminalError('provider_user_missing', 'Gerrit wants a user name beside the password');
      return new GerritProvider({ token, username, webUrl: url, authority });
  }
}

/** What git gives as user name beside the token as password; undefined: whatever the caller likes. */
export function gitUsernameOf({ kind, username }: Pick<ProviderAccount, 'kind' | 'username'>): string | undefined {
  switch (kind) {
    case 'github':
      return username ?? 'x-access-token';
    case 'gitlab':
      return username ?? 'oauth2';
    case 'bitbucket':
      return username === undefined ? 'x-token-auth' : 'x-bitbucket-api-token-auth';
    default:
      return username;
  }
}

/** Each line is one need, met by any of its scopes; the first is the one that we recommend. */
const needed: Readonly<Partial<Record<ProviderKind, readonly (readonly string[])[]>>> = {
  github: [['repo', 'public_repo']],
  gitlab: [
    ['write_repository', 'api'],
    ['read_api', 'api'],
  ],
  bitbucket: [
    ['read:user:bitbucket', 'account', 'account:write'],
    ['write:repository:bitbucket', 'admin:repository:bitbucket', 'repository:write', 'repository:admin'],
  ],
};

/** What a token of these scopes cannot do for a user who reads and commits; empty when it suffices, or nobody knows. */
export function scopesLacking(kind: ProviderKind, scopes: readonly string[]): string[] {
  const unmet = (needed[kind] ?? []).filter((any) => !any.some((scope) => scopes.includes(scope)));
  return unmet.map(([recommended = '']) => recommended);
}

/** `org/name` of a clone address. */
export function repositoryNameOf(kind: ProviderKind, cloneUrl: string): string {
  const path = new URL(cloneUrl).pathname.replace(/^\/+/, '').replace(/\.git$/, '');
  return kind === 'gerrit' ? path.replace(/^a\//, '') : path;
}
