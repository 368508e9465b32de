export { Authorizer, type Deed, type PathDeed } from './authorizer.ts';
export { defaultRoles } from './default-roles.ts';
export { escalation } from './escalation.ts';
export { issuer, Tokens } from './tokens.ts';
export { administrator, namedUser, type User } from './user.ts';
