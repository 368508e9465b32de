import { gitUsernameOf, repositoryNameOf } from '@fairlead/git';
import type { StoredToken } from './token-secret.ts';

/** What git gives beside the token; `otherwise` where the server takes any name. */
export function gitUsername({ provider, username }: StoredToken, otherwise: string): string {
  const wanted = provider === 'other' ? username : gitUsernameOf({ kind: provider, username });
  return wanted ?? (provider === 'builtin' || provider === 'gitea' ? otherwise : 'x-access-token');
}

/** `org/name` of an address at the token's host. */
export const fullNameOf = ({ provider }: StoredToken, repoURL: string): string =>
  repositoryNameOf(provider === 'other' ? 'builtin' : provider, repoURL);
