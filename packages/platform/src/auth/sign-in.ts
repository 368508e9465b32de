// One-time links and browser sessions. Secrets leave this room once, in the answer; the tables hold hashes.
import { randomToken, sha256Hex } from '@fairlead/base';
import { type Caller, findUser, type Store } from '../store/index.ts';
import { AuthError } from './errors.ts';

export const sessionCookieName = 'fairlead_session';
const linkLivesMs = 15 * 60_000;
const sessionLivesMs = 7 * 24 * 3_600_000;

export async function createSignInLink(
  { db, clock }: Store,
  userId: string,
): Promise<{ code: string; expiresAt: string }> {
  const code = randomToken();
  const now = clock.now();
  const expiresAt = new Date(now + linkLivesMs).toISOString();
  await db.deleteFrom('sign_in_links').where('expires_at', '<', new Date(now).toISOString()).execute();
  await db
    .insertInto('sign_in_links')
    .values({ code_hash: sha256Hex(code), user_id: userId, created_at: new Date(now), expires_at: expiresAt })
    .execute();
  return { code, expiresAt };
}

/** Works once: the update that marks the link as used is what decides between two that come at the same time. */
export async function redeemSignInLink(
  { db, clock }: Store,
  code: string,
): Promise<{ caller: Caller; sessionToken: string; expiresAt: Date }> {
  const now = new Date(clock.now());
  const link = await db
    .updateTable('sign_in_links')
    .set({ used_at: now })
    .where('code_hash', '=', sha256Hex(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .returning('user_id')
    .executeTakeFirst();
  const caller = link && (await findUser(db, link.user_id));
  if (!caller) throw new AuthError('this sign-in link is used up, expired or unknown; ask for a new one');
  const sessionToken = randomToken();
  const expiresAt = new Date(now.getTime() + sessionLivesMs);
  await db.deleteFrom('sessions').where('expires_at', '<', now.toISOString()).execute();
  await db
    .insertInto('sessions')
    .values({ token_hash: sha256Hex(sessionToken), user_id: caller.user.id, created_at: now, expires_at: expiresAt })
    .execute();
  return { caller, sessionToken, expiresAt };
}

export async function endSession({ db }: Store, sessionToken: string | undefined): Promise<void> {
  if (sessionToken === undefined) return;
  await db.deleteFrom('sessions').where('token_hash', '=', sha256Hex(sessionToken)).execute();
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
