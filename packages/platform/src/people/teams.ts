// Teams: access rules speak of them, never of single users.
import { newId } from '@fairlead/base';
import type { TeamRow } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import type { Database, Transaction } from '../store/index.ts';
import { PeopleConflictError, UnknownPersonError } from './errors.ts';

const rows = (db: Kysely<Database>, accountId: string) =>
  db
    .selectFrom('teams')
    .select(['id', 'name', 'created_at as createdAt'])
    .select(
      sql<string[]>`array(select users.name from team_members join users on users.id = team_members.user_id
        where team_members.team_id = teams.id order by 1)`.as('members'),
    )
    .where('account_id', '=', accountId)
    .orderBy('name');

export const listTeams = (db: Kysely<Database>, accountId: string): Promise<TeamRow[]> => rows(db, accountId).execute();

interface TeamName {
  readonly accountId: string;
  readonly name: string;
}

async function teamNamed(db: Kysely<Database>, { accountId, name }: TeamName): Promise<TeamRow> {
  const found = await rows(db, accountId).where('name', '=', name).executeTakeFirst();
  if (!found) throw new UnknownPersonError(`team ${name}`);
  return found;
}

export async function addTeam(
  trx: Transaction,
  team: TeamName & { readonly members: readonly string[]; readonly now: Date },
): Promise<TeamRow> {
  const added = await trx
    .insertInto('teams')
    .values({ id: newId('team'), account_id: team.accountId, name: team.name, created_at: team.now })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) throw new PeopleConflictError(`there is a team named ${team.name} already; choose another name`, 'name');
  return setMembers(trx, team, team.members);
}

/** By user name; all of them must be there. */
export async function setMembers(trx: Transaction, team: TeamName, members: readonly string[]): Promise<TeamRow> {
  const { id } = await teamNamed(trx, team);
  const wanted = [...new Set(members)];
  const users =
    wanted.length === 0
      ? []
      : await trx
          .selectFrom('users')
          .select(['id', 'name'])
          .where('account_id', '=', team.accountId)
          .where('name', 'in', wanted)
          .execute();
  const missing = wanted.find((name) => !users.some((user) => user.name === name));
  if (missing !== undefined) throw new UnknownPersonError(`user ${missing}`);
  await trx.deleteFrom('team_members').where('team_id', '=', id).execute();
  if (users.length > 0) {
    await trx
      .insertInto('team_members')
      .values(users.map((user) => ({ team_id: id, user_id: user.id })))
      .execute();
  }
  return teamNamed(trx, team);
}

export async function removeTeam(trx: Transaction, team: TeamName): Promise<void> {
  const { id } = await teamNamed(trx, team);
  // A deny rule that loses its team would let people in.
  const named = await trx
    .selectFrom('access_rules')
    .select('name')
    .where('account_id', '=', team.accountId)
    .where(sql<boolean>`teams ? ${team.name}`)
    .orderBy('name')
    .executeTakeFirst();
  if (named) throw new PeopleConflictError(`the access rule ${named.name} names team ${team.name}; change it first`);
  await trx.deleteFrom('teams').where('id', '=', id).execute();
}
