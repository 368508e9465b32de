// What nobody reports: runtimes that fall silent and come back, keys and Git tokens that are about to end. Looked at from time to time;
// each look tells only what was not told yet, so that it does not matter how often, or by which process, it is made.
import { errorMessage, everyInterval, type Logger, sleep } from '@fairlead/base';
import { sql } from 'kysely';
import { gitTokensInNeed, recordChanges, type Store } from '../store/index.ts';
import { type News, notify, sweepNotifications } from './notify.ts';

const lookEveryMs = 15_000;
/** A runtime that reconnects within this time was never away, as far as people are concerned. */
const silentMs = 90_000;
const dayMs = 24 * 3_600_000;
const keyEndsWithinMs = 7 * dayMs;
const keptMs = 30 * dayMs;

export async function watchForNews({
  store,
  log,
  signal,
}: {
  store: Store;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const look = async () => {
    if (!store.isUp) return;
    try {
      await lookForNews(store);
    } catch (error) {
      log.warn({ error: errorMessage(error) }, 'notifications could not be looked for, will retry');
    }
  };
  // Whoever was silent while the platform itself was away gets the time to speak.
  await sleep(silentMs, { signal, clock: store.clock }).catch(() => undefined); // aborted: the interval ends at once
  await everyInterval(lookEveryMs, look, { signal, clock: store.clock });
}

export async function lookForNews(store: Store): Promise<void> {
  const now = new Date(store.clock.now());
  const news = [...(await runtimeNews(store, now)), ...(await keyNews(store, now)), ...(await tokenNews(store, now))];
  await sweepNotifications(store.db, new Date(now.getTime() - keptMs));
  if (news.length === 0) return;
  await store.transaction(async (trx) => recordChanges(trx, await notify(trx, news, now), now));
}

/** Of runtimes whose state differs from what was told last. */
async function runtimeNews({ db }: Store, now: Date): Promise<News[]> {
  const runtimes = await db
    .selectFrom('runtimes')
    .select(['id', 'name', 'account_id as accountId', 'connected', 'last_heard_at as lastHeardAt'])
    .where('last_heard_at', 'is not', null)
    .execute();
  const { rows } = await sql<{ subject: string; kind: string }>`select distinct on (subject) subject, kind
    from notifications where kind in ('runtime-offline', 'runtime-online') order by subject, id desc`.execute(db);
  const told = new Map(rows.map(({ subject, kind }) => [subject, kind]));
  return runtimes.flatMap(({ id, name, accountId, connected, lastHeardAt }): News[] => {
    const isSilent = !connected && now.getTime() - Date.parse(lastHeardAt ?? '') > silentMs;
    if (isSilent === (told.get(`runtime ${id}`) === 'runtime-offline')) return [];
    const news: News = {
      accountId,
      runtimeId: id,
      subject: `runtime ${id}`,
      kind: isSilent ? 'runtime-offline' : 'runtime-online',
      title: isSilent ? `Runtime ${name} is offline` : `Runtime ${name} is back`,
      ...(isSilent ? { message: `It was last heard of at ${lastHeardAt}; its applications go on without it.` } : {}),
    };
    return [news];
  });
}

async function keyNews({ db }: Store, now: Date): Promise<News[]> {
  const keys = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.name', 'api_keys.expires_at as expiresAt', 'users.id as userId'])
    .select(['users.account_id as accountId', 'users.kind'])
    .where('api_keys.revoked_at', 'is', null)
    .where('api_keys.expires_at', '>', now.toISOString())
    .where('api_keys.expires_at', '<', new Date(now.getTime() + keyEndsWithinMs).toISOString())
    .execute();
  return keys.map(({ id, name, expiresAt, userId, accountId, kind }) => ({
    accountId,
    kind: 'key-expires',
    subject: `key ${id} ${expiresAt}`,
    title: `API key ${name} expires soon`,
    message: `It works until ${expiresAt}; make another one and replace it.`,
    // A service account reads no list: its administrators do.
    ...(kind === 'service' ? { onlyAdmins: true } : { onlyUser: userId }),
  }));
}

/** Told when its last days begin, and again when it has ended; only to its owner. Rights that it lacks were told when it was given. */
async function tokenNews({ db }: Store, now: Date): Promise<News[]> {
  const tokens = (await gitTokensInNeed(db, now)).filter(({ isWeak }) => !isWeak);
  return tokens.map(({ accountId, userId, runtimeId, runtime, host, expiresAt, hasEnded, problem }) => ({
    ...{ accountId, runtimeId, kind: 'git-token-expires' as const, onlyUser: userId },
    subject: `git-token ${userId} ${runtimeId} ${host} ${expiresAt} ${hasEnded ? 'ended' : 'ends'}`,
    title: hasEnded ? `Your Git token for ${host} has ended` : `Your Git token for ${host} ends soon`,
    message: `Your commits through ${runtime} ${hasEnded ? 'are refused' : `work until ${expiresAt}`}: ${problem}, under Settings, Git tokens.`,
  }));
}
