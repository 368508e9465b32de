// Browser sessions, as people see them: which are open, and an end to any of them.
import { sha256Hex } from '@fairlead/base';
import type { SessionRow } from '@fairlead/contracts';
import type { Kysely } from 'kysely';
import type { Database, Transaction } from '../store/index.ts';
import { UnknownPersonError } from './errors.ts';

interface SessionOwner {
  readonly accountId: string;
  readonly userId?: string | undefined;
}

function rows(db: Kysely<Database>, { accountId, userId }: SessionOwner) {
  const select = db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('users.account_id', '=', accountId);
  return userId === undefined ? select : select.where('users.id', '=', userId);
}

interface SessionQuery extends SessionOwner {
  readonly now: Date;
  readonly currentToken: string | undefined;
}

export async function listSessions(db: Kysely<Database>, query: SessionQuery): Promise<SessionRow[]> {
  const current = query.currentToken === undefined ? undefined : sha256Hex(query.currentToken);
  const found = await rows(db, query)
    .select(['sessions.id', 'users.name as user', 'sessions.client', 'sessions.token_hash as hash'])
    .select(['sessions.created_at as createdAt', 'sessions.expires_at as expiresAt'])
    .where('sessions.expires_at', '>', query.now.toISOString())
    .orderBy('sessions.created_at', 'desc')
    .execute();
  return found.map(({ hash, ...row }) => ({ ...row, current: hash === current }));
}

/** Gives the name of the user whose session it was. */
export async function removeSession(
  trx: Transaction,
  { id, ...owner }: SessionOwner & { readonly id: string },
): Promise<string> {
  const found = await rows(trx, owner).select('users.name').where('sessions.id', '=', id).executeTakeFirst();
  if (!found) throw new UnknownPersonError(`session ${id}`);
  await trx.deleteFrom('sessions').where('id', '=', id).execute();
  return found.name;
}
