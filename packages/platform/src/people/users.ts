// Users and service accounts of an account.
import { newId } from '@fairlead/base';
import type { UserRole, UserRow } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import type { Database, Transaction } from '../store/index.ts';
import { PeopleConflictError, UnknownPersonError } from './errors.ts';

const rows = (db: Kysely<Database>, accountId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'kind', 'role', 'status', 'created_at as createdAt'])
    .select(sql<boolean>`password_hash is not null`.as('hasPassword'))
    .select(
      sql<string[]>`array(select teams.name from team_members join teams on teams.id = team_members.team_id
        where team_members.user_id = users.id order by 1)`.as('teams'),
    )
    .where('account_id', '=', accountId)
    .orderBy('name');

type Read = Omit<UserRow, 'email'> & { readonly email: string | null };
const toRow = ({ email, ...row }: Read): UserRow => ({ ...row, ...(email ? { email } : {}) });

export async function listUsers(db: Kysely<Database>, accountId: string): Promise<UserRow[]> {
  return (await rows(db, accountId).execute()).map(toRow);
}

/** By name. */
export async function userNamed(db: Kysely<Database>, accountId: string, name: string): Promise<UserRow> {
  const found = await rows(db, accountId).where('name', '=', name).executeTakeFirst();
  if (!found) throw new UnknownPersonError(`user ${name}`);
  return toRow(found);
}

interface NewUser {
  readonly accountId: string;
  readonly name: string;
  readonly email?: string | undefined;
  readonly kind: UserRow['kind'];
  readonly role: UserRole;
  readonly teams: readonly string[];
  readonly now: Date;
}

export async function addUser(trx: Transaction, user: NewUser): Promise<UserRow> {
  const { accountId, name, email = null, kind, role, now } = user;
  const status = kind === 'service' ? 'active' : 'invited';
  const added = await trx
    .insertInto('users')
    .values({ id: newId('user'), account_id: accountId, name, email, kind, role, status, created_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) throw new PeopleConflictError(`there is a user named ${name} already; choose another name`, 'name');
  await setTeams(trx, { accountId, userId: added.id, teams: user.teams });
  return userNamed(trx, accountId, name);
}

interface UserChange {
  readonly role?: UserRole;
  readonly status?: 'active' | 'deactivated';
  readonly teams?: readonly string[];
}

/** Deactivating ends every session; keys stop because their owner is looked at with each use. */
export async function changeUser(
  trx: Transaction,
  { accountId, name }: { accountId: string; name: string },
  change: UserChange,
): Promise<UserRow> {
  // All rows of the account are locked in one order, so that two who demote each other cannot both succeed.
  const all = await trx
    .selectFrom('users')
    .select(['id', 'name', 'kind', 'role', 'status'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .forUpdate()
    .execute();
  const user = all.find((each) => each.name === name);
  if (!user) throw new UnknownPersonError(`user ${name}`);
  const [role, status] = [change.role ?? user.role, change.status ?? user.status];
  const isAdmin = (each: typeof user) => each.kind === 'person' && each.role === 'admin' && each.status === 'active';
  const left = all.map((each) => (each === user ? { ...each, role, status } : each)).filter(isAdmin);
  if (isAdmin(user) && left.length === 0) {
    throw new PeopleConflictError(`${name} is the last active administrator: make somebody else one first`);
  }
  await trx.updateTable('users').set({ role, status }).where('id', '=', user.id).execute();
  if (status === 'deactivated') {
    await trx.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    await trx.deleteFrom('sign_in_links').where('user_id', '=', user.id).execute();
  }
  if (change.teams) await setTeams(trx, { accountId, userId: user.id, teams: change.teams });
  return userNamed(trx, accountId, name);
}

async function setTeams(
  trx: Transaction,
  { accountId, userId, teams }: { accountId: string; userId: string; teams: readonly string[] },
): Promise<void> {
  const wanted = [...new Set(teams)];
  const found =
    wanted.length === 0
      ? []
      : await trx
          .selectFrom('teams')
          .select(['id', 'name'])
          .where('account_id', '=', accountId)
          .where('name', 'in', wanted)
          .execute();
  const missing = wanted.find((name) => !found.some((team) => team.name === name));
  if (missing !== undefined) throw new UnknownPersonError(`team ${missing}`);
  await trx.deleteFrom('team_members').where('user_id', '=', userId).execute();
  if (found.length === 0) return;
  await trx
    .insertInto('team_members')
    .values(found.map(({ id }) => ({ team_id: id, user_id: userId })))
    .execute();
}
