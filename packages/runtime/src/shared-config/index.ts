export { AccessRulesLook } from './access-rules-look.ts';
export { ConnectConfiguration, firstReadme } from './connect-configuration.ts';
export { ConfigurationError } from './errors.ts';
export { type FollowedAccess, FollowedAccessRules } from './followed-access-rules.ts';
export { RepositoryCredentials } from './repository-credentials.ts';
export { SharedConfig } from './shared-config.ts';
