import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

interface AccountRecord {
  readonly id: string;
  readonly name: string;
}

interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}

/** A person, with the account everything they do is scoped by. */
export interface Caller {
  readonly user: UserRecord;
  readonly account: AccountRecord;
}

export async function findUser(db: Kysely<Database>, userId: string): Promise<Caller | undefined> {
  const found = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.name', 'users.email', 'accounts.id as accountId', 'accounts.name as accountName'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (!found) return undefined;
  const { id, name, email, accountId, accountName } = found;
  return { user: { id, name, email }, account: { id: accountId, name: accountName } };
}
