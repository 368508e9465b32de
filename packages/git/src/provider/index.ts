export { BuiltinProvider } from './builtin-provider.ts';
export {
  ProviderAuthenticationError,
  ProviderForbiddenError,
  ProviderNotFoundError,
  ProviderRateLimitError,
  ProviderRefusedError,
  ProviderUnavailableError,
  ProviderUnsupportedError,
} from './errors.ts';
export type { GitProvider, Page, Permission, ProviderRepository, PullRequest, TokenProbe } from './git-provider.ts';
export { GitHubEmulator } from './github-emulator.ts';
export { GitHubProvider } from './github-provider.ts';
