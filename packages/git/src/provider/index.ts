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
export type {
  GitProvider,
  Page,
  Permission,
  ProviderKind,
  ProviderRepository,
  PullRequest,
  TokenProbe,
  WebhookDelivery,
} from './git-provider.ts';
export { createProvider, gitUsernameOf, type ProviderAccount, repositoryNameOf, scopesLacking } from './providers.ts';
export { type RepositoryRight, repositoryRight } from './repository-right.ts';
export {
  verifyBitbucketSignature,
  verifyHexSignature,
  verifyHubSignature,
  verifyPlainToken,
} from './webhook-signature.ts';
