export { AccessRules, type Caller } from './access-rules.ts';
export { type Account, adminName } from './accounts.ts';
export { actions, projectScoped, type Resource, resources } from './built-in-policy.ts';
export { IdentityError } from './errors.ts';
export { Identities } from './identities.ts';
export {
  groupsOf,
  isSameToken,
  roleNamed,
  roleProblems,
  roleSubject,
  roleTokens,
  withRoleTokens,
} from './project-roles.ts';
export { issuer } from './tokens.ts';
