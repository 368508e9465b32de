// Users, teams, keys, sessions and the audit log, as the platform API shows them.
import { type Static, Type } from 'typebox';

const text = Type.String();
const optionalText = Type.Optional(Type.String());

export const UserRole = Type.Union([Type.Literal('admin'), Type.Literal('user')]);
export type UserRole = Static<typeof UserRole>;

export const UserRow = Type.Object({
  id: text,
  name: text,
  email: optionalText,
  /** `service`: a program; it has API keys and never signs in. */
  kind: Type.Union([Type.Literal('person'), Type.Literal('service')]),
  role: UserRole,
  /** `invited` until the first sign-in. */
  status: Type.Union([Type.Literal('invited'), Type.Literal('active'), Type.Literal('deactivated')]),
  teams: Type.Array(text),
  hasPassword: Type.Boolean(),
  createdAt: text,
});
export type UserRow = Static<typeof UserRow>;

export const TeamRow = Type.Object({ id: text, name: text, members: Type.Array(text), createdAt: text });
export type TeamRow = Static<typeof TeamRow>;

/** What a key may be used for: reading, acts and changes, and what only administrators may (if its owner is one). */
export const KeyScope = Type.Union([Type.Literal('read'), Type.Literal('act'), Type.Literal('admin')]);
export type KeyScope = Static<typeof KeyScope>;

export const ApiKeyRow = Type.Object({
  id: text,
  name: text,
  /** Name of the user or service account it acts as. */
  user: text,
  /** The first letters of the key. */
  prefix: text,
  scopes: Type.Array(KeyScope),
  createdAt: text,
  expiresAt: optionalText,
  lastUsedAt: optionalText,
  revokedAt: optionalText,
});
export type ApiKeyRow = Static<typeof ApiKeyRow>;

export const SessionRow = Type.Object({
  id: text,
  user: text,
  /** The browser, as it named itself. */
  client: text,
  createdAt: text,
  expiresAt: text,
  /** The one that asks. */
  current: Type.Boolean(),
});
export type SessionRow = Static<typeof SessionRow>;

/** One link of the account's chain: `hash` is sha256 over the canonical JSON of all other members. */
export const AuditEntry = Type.Object({
  number: Type.Integer(),
  at: text,
  actor: Type.Object({ id: text, name: text }),
  /** E.g. `application.sync`, `user.invite`. */
  action: text,
  entity: Type.Object({ kind: text, name: text }),
  /** `requested`: passed on to a runtime, whose answer is the next entry of the same request. */
  outcome: Type.Union([
    Type.Literal('done'),
    Type.Literal('requested'),
    Type.Literal('failed'),
    Type.Literal('denied'),
  ]),
  requestId: text,
  details: Type.Record(Type.String(), Type.Unknown()),
  previous: text,
  hash: text,
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Type.Object({ items: Type.Array(AuditEntry), next: optionalText });
export type AuditPage = Static<typeof AuditPage>;
