// Until when people's Git tokens work, as their runtimes told. Tokens stay in the runtimes: what is kept here is only what
// a forecast needs, learnt from the answers that pass on their way to their owner. One that was given to a runtime past the
// platform is learnt of when its owner looks at it the first time.
import type { GitTokenRow, GitTokenWarning } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** People are told so long before. */
const tokenEndsWithinMs = 14 * 86_400_000;

/** Of one person in one runtime; a runtime keeps no more. */
const maxHosts = 20;

interface Owner {
  readonly accountId: string;
  readonly userId: string;
  readonly runtimeId: string;
}

type Told = Pick<GitTokenRow, 'host' | 'expiresAt' | 'status' | 'problem'>;

/** What a runtime told of one token, or, with `isAll`, of all of them that the owner has there. */
export async function keepGitTokenEnds(
  db: Kysely<Database>,
  { accountId, userId, runtimeId }: Owner,
  { rows, isAll }: { readonly rows: readonly Told[]; readonly isAll: boolean },
): Promise<void> {
  const kept = rows.slice(0, maxHosts).filter(({ expiresAt, status }) => expiresAt !== undefined || status === 'weak');
  const gone = isAll
    ? sql`not host = any(${kept.map(({ host }) => host)})`
    : sql`host = any(${rows.filter((row) => !kept.includes(row)).map(({ host }) => host)})`;
  await sql`delete from git_token_ends where user_id = ${userId} and runtime_id = ${runtimeId} and ${gone}`.execute(db);
  for (const { host, expiresAt, status, problem } of kept) {
    const known = { expires_at: expiresAt ?? null, problem: status === 'weak' ? (problem ?? null) : null };
    await db
      .insertInto('git_token_ends')
      .values({ account_id: accountId, user_id: userId, runtime_id: runtimeId, host, ...known })
      .onConflict((conflict) => conflict.columns(['user_id', 'runtime_id', 'host']).doUpdateSet(known))
      .execute();
  }
}

export async function forgetGitTokenEnd(db: Kysely<Database>, owner: Owner & { readonly host: string }): Promise<void> {
  await db
    .deleteFrom('git_token_ends')
    .where('user_id', '=', owner.userId)
    .where('runtime_id', '=', owner.runtimeId)
    .where('host', '=', owner.host)
    .execute();
}

interface EndingGitToken extends GitTokenWarning {
  readonly accountId: string;
  readonly userId: string;
  readonly runtimeId: string;
  readonly hasEnded: boolean;
  /** Rights are lacking; otherwise it is about its end. */
  readonly isWeak: boolean;
}

/** Those that need their owner, the most urgent first; of one person, or of all. */
export async function gitTokensInNeed(db: Kysely<Database>, now: Date, userId?: string): Promise<EndingGitToken[]> {
  const soon = new Date(now.getTime() + tokenEndsWithinMs);
  let select = db
    .selectFrom('git_token_ends')
    .innerJoin('runtimes', 'runtimes.id', 'git_token_ends.runtime_id')
    .select(['git_token_ends.account_id as accountId', 'git_token_ends.user_id as userId'])
    .select(['git_token_ends.runtime_id as runtimeId', 'runtimes.name as runtime', 'git_token_ends.host'])
    .select(['git_token_ends.expires_at as expiresAt', 'git_token_ends.problem'])
    .where((eb) => eb.or([eb('expires_at', '<', soon.toISOString()), eb('problem', 'is not', null)]))
    .orderBy(sql`expires_at nulls last`)
    .limit(1_000);
  if (userId !== undefined) select = select.where('git_token_ends.user_id', '=', userId);
  const rows = await select.execute();
  return rows.map(({ expiresAt, problem, ...row }) => {
    const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now.getTime();
    const isAboutEnd = leftMs < tokenEndsWithinMs;
    return {
      ...row,
      ...(expiresAt === null ? {} : { expiresAt }),
      hasEnded: leftMs <= 0,
      isWeak: !isAboutEnd,
      problem: isAboutEnd ? endWords(row.host, leftMs) : (problem ?? ''),
    };
  });
}

function endWords(host: string, leftMs: number): string {
  const days = Math.max(1, Math.ceil(leftMs / 86_400_000));
  const when = leftMs <= 0 ? 'it has ended' : `it ends in ${days} ${days === 1 ? 'day' : 'days'}`;
  return `${when}; make a new one at ${host} and add it again`;
}
