// One-time links and browser sessions. Secrets leave this room once, in the answer; the tables hold hashes.
import { newId, randomToken, sha256Hex } from '@fairlead/base';
import { type Caller, findUser, type Store, type Transaction } from '../store/index.ts';
import { AuthError } from './errors.ts';
import { isPassword } from './password.ts';

export const sessionCookieName = 'fairlead_session';
const linkLivesMs = 15 * 60_000;
export const invitationLivesMs = 7 * 24 * 3_600_000;
const sessionLivesMs = 7 * 24 * 3_600_000;

interface NewLink {
  readonly userId: string;
  readonly now: Date;
  /** Default: a quarter of an hour. */
  readonly livesMs?: number;
}

export async function createSignInLink(
  trx: Transaction,
  { userId, now, livesMs = linkLivesMs }: NewLink,
): Promise<{ code: string; expiresAt: string }> {
  const code = randomToken();
  const expiresAt = new Date(now.getTime() + livesMs).toISOString();
  await trx.deleteFrom('sign_in_links').where('expires_at', '<', now.toISOString()).execute();
  await trx
    .insertInto('sign_in_links')
    .values({ code_hash: sha256Hex(code), user_id: userId, created_at: now, expires_at: expiresAt })
    .execute();
  return { code, expiresAt };
}

/** Works once: the update that marks the link as used is what decides between two that come at the same time. */
export async function redeemSignInLink(trx: Transaction, { code, now }: { code: string; now: Date }): Promise<Caller> {
  const link = await trx
    .updateTable('sign_in_links')
    .set({ used_at: now })
    .where('code_hash', '=', sha256Hex(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .returning('user_id')
    .executeTakeFirst();
  const caller = link && (await findUser(trx, link.user_id));
  if (!caller) throw new AuthError('this sign-in link is used up, expired or unknown; ask for a new one');
  await trx
    .updateTable('users')
    .set({ status: 'active' })
    .where('id', '=', caller.user.id)
    .where('status', '=', 'invited')
    .execute();
  return caller;
}

interface PasswordGiven {
  readonly account: string;
  readonly user: string;
  readonly password: string;
}

/** Undefined when the password is wrong, whoever it is of. */
export async function callerOfPassword(
  { db }: Store,
  { account, user, password }: PasswordGiven,
): Promise<{ readonly caller: Caller | undefined; readonly isRight: boolean }> {
  const found = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.password_hash as hash'])
    .where('accounts.name', '=', account)
    .where('users.name', '=', user)
    .where('users.kind', '=', 'person')
    .executeTakeFirst();
  const isRight = await isPassword(password, found?.hash);
  const caller = found && (await findUser(db, found.id));
  return { caller, isRight: isRight && caller !== undefined };
}

interface NewSession {
  readonly userId: string;
  readonly client: string;
  readonly now: Date;
}

export async function startSession(
  trx: Transaction,
  { userId, client, now }: NewSession,
): Promise<{ sessionToken: string; expiresAt: Date }> {
  const sessionToken = randomToken();
  const expiresAt = new Date(now.getTime() + sessionLivesMs);
  await trx.deleteFrom('sessions').where('expires_at', '<', now.toISOString()).execute();
  const row = {
    id: newId('session'),
    token_hash: sha256Hex(sessionToken),
    user_id: userId,
    client: client.slice(0, 300),
  };
  await trx
    .insertInto('sessions')
    .values({ ...row, created_at: now, expires_at: expiresAt })
    .execute();
  return { sessionToken, expiresAt };
}

/** Gives whose session it was, if it was one. */
export async function endSession(trx: Transaction, sessionToken: string | undefined): Promise<Caller | undefined> {
  if (sessionToken === undefined) return undefined;
  const ended = await trx
    .deleteFrom('sessions')
    .where('token_hash', '=', sha256Hex(sessionToken))
    .returning('user_id')
    .executeTakeFirst();
  return ended && findUser(trx, ended.user_id);
}

/** The Set-Cookie value; without a token it takes the cookie away. */
export function sessionCookie(
  token: string | undefined,
  { secure, expiresAt }: { secure: boolean; expiresAt?: Date },
): string {
  const life = token === undefined || !expiresAt ? 'Max-Age=0' : `Expires=${expiresAt.toUTCString()}`;
  const parts = [`${sessionCookieName}=${token ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', life];
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
}
