export {
  ProviderAuthenticationError,
  ProviderForbiddenError,
  ProviderNotFoundError,
  ProviderRateLimitError,
  ProviderRefusedError,
  ProviderUnavailableError,
} from './errors.ts';
export type { GitProvider, Page, Permission, ProviderRepository, PullRequest, TokenProbe } from './git-provider.ts';
export { GitHubProvider } from './github-provider.ts';
