// What people are told of each Git provider when they connect it, the same in browser and CLI.
import type { GitProviderKind } from './git-tokens.ts';

interface GitProviderWords {
  readonly label: string;
  /** The public service; absent where everybody runs their own. */
  readonly url?: string;
  /** What the token must be. */
  readonly token: string;
  /** Absent: the token alone suffices. */
  readonly username?: { readonly label: string; readonly hint: string; readonly isRequired: boolean };
}

export const gitProviders: Readonly<Record<GitProviderKind, GitProviderWords>> = {
  github: {
    label: 'GitHub',
    url: 'https://github.com',
    token: 'Classic with scope repo, or fine-grained with Administration and Contents read and write.',
  },
  gitlab: { label: 'GitLab', url: 'https://gitlab.com', token: 'Personal, group or project token with scope api.' },
  bitbucket: {
    label: 'Bitbucket Cloud',
    url: 'https://bitbucket.org',
    token: 'API token with read:user, read:workspace, write:repository and admin:repository; or a workspace token.',
    username: {
      label: 'Atlassian e-mail',
      hint: 'Of an API token; empty for a workspace, project or repository access token.',
      isRequired: false,
    },
  },
  gitea: { label: 'Gitea or Forgejo', token: 'Token with write:repository, read:organization and read:user.' },
  gerrit: {
    label: 'Gerrit',
    token: 'HTTP password: Settings → HTTP Credentials. To make projects the account needs Create Project.',
    username: { label: 'User name', hint: 'As in Gerrit, Settings → Profile.', isRequired: true },
  },
  builtin: { label: 'Built-in git server', token: 'The API key of this installation.' },
  other: {
    label: 'Other (git over https)',
    token: 'Password or token that git takes for this host; it cannot be checked.',
    username: { label: 'User name', hint: 'If the server wants one.', isRequired: false },
  },
};

interface NewRepositoryAddress {
  readonly provider: GitProviderKind;
  /** `https://gitlab.com` */
  readonly url: string;
  readonly organisation: string;
  readonly name: string;
}

/** Where a repository of the provider is cloned from by who has a token. */
export function repositoryAddress({ provider, url, organisation, name }: NewRepositoryAddress): string {
  // Gerrit asks for a password below /a only.
  return `${url.replace(/\/+$/, '')}${provider === 'gerrit' ? '/a' : ''}/${organisation}/${name}.git`;
}
