// Who calls: a user with the account everything they do is scoped by, found by what they brought, in one query.
import type { KeyScope, UserRole } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

interface AccountRecord {
  readonly id: string;
  readonly name: string;
}

interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly kind: 'person' | 'service';
  readonly role: UserRole;
  readonly teams: readonly string[];
}

export interface Caller {
  readonly user: UserRecord;
  readonly account: AccountRecord;
  /** Of the account's access rules. */
  readonly accessVersion: number;
  /** What the API key may be used for; undefined for a session, which may be used for all. */
  readonly scopes?: readonly KeyScope[];
}

const people = (db: Kysely<Database>) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.name', 'users.email', 'users.kind', 'users.role'])
    .select(['accounts.id as accountId', 'accounts.name as accountName', 'accounts.access_version as accessVersion'])
    .select(
      sql<string[]>`array(select teams.name from team_members join teams on teams.id = team_members.team_id
        where team_members.user_id = users.id order by 1)`.as('teams'),
    );

interface Read {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly kind: 'person' | 'service';
  readonly role: UserRole;
  readonly teams: string[];
  readonly accountId: string;
  readonly accountName: string;
  readonly accessVersion: number;
}

const toCaller = ({ accountId, accountName, accessVersion, ...read }: Read): Caller => ({
  user: {
    id: read.id,
    name: read.name,
    email: read.email,
    kind: read.kind,
    role: read.role,
    teams: read.teams,
  },
  account: { id: accountId, name: accountName },
  accessVersion,
});

/** Undefined also for one that is deactivated. */
export async function findUser(db: Kysely<Database>, userId: string): Promise<Caller | undefined> {
  const found = await people(db)
    .where('users.id', '=', userId)
    .where('users.status', '<>', 'deactivated')
    .executeTakeFirst();
  return found && toCaller(found);
}

export async function callerOfSession(
  db: Kysely<Database>,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<Caller | undefined> {
  const found = await people(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now.toISOString())
    .where('users.status', '=', 'active')
    .executeTakeFirst();
  return found && toCaller(found);
}

/** How exactly the last use of a key is known. */
const usedWithinMs = 60_000;

export async function callerOfKey(
  db: Kysely<Database>,
  { keyHash, now }: { keyHash: string; now: Date },
): Promise<Caller | undefined> {
  const found = await people(db)
    .innerJoin('api_keys', 'api_keys.user_id', 'users.id')
    .select(['api_keys.id as keyId', 'api_keys.scopes', 'api_keys.last_used_at as lastUsedAt'])
    .where('api_keys.key_hash', '=', keyHash)
    .where('api_keys.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', now.toISOString())]))
    .where('users.status', '<>', 'deactivated')
    .executeTakeFirst();
  if (!found) return undefined;
  const { keyId, lastUsedAt, scopes } = found;
  if (lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) > usedWithinMs) {
    await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', keyId).execute();
  }
  return { ...toCaller(found), scopes };
}
