// What the past costs is bounded by time. A version goes when the next one of its application is older than what is
// kept, so that the whole kept span can be shown from its first moment on; a content goes when no kept version and no
// present report names it.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../store/index.ts';
import { namedAtSlackMs } from './record-versions.ts';

interface SweepOptions {
  readonly now: Date;
  /** Versions, and the contents that only they name. */
  readonly versionsKeptMs: number;
  readonly deploymentsKeptMs: number;
}

export interface Swept {
  readonly versions: number;
  readonly deployments: number;
  readonly contents: number;
}

/** Rows per statement: each stays far below the database's time-out and locks little. */
const chunk = 5_000;
const applicationsAtOnce = 200;

/** Idempotent; a sweep that is cut short is made good by the next. */
export async function sweepPast(db: Kysely<Database>, options: SweepOptions): Promise<Swept> {
  const { now } = options;
  const horizon = new Date(now.getTime() - options.versionsKeptMs);
  const deploymentsBefore = new Date(now.getTime() - options.deploymentsKeptMs);
  const versions = await inChunks(
    db,
    sql`delete from application_versions where ctid = any(array(
      select old.ctid from application_versions old
      where old.at < ${horizon} and exists (
        select from application_versions next
        where next.runtime_id = old.runtime_id and next.key = old.key and next.at <= ${horizon}
          and (next.at, next.epoch, next.sequence) > (old.at, old.epoch, old.sequence))
      limit ${chunk}))`,
  );
  const deployments = await inChunks(
    db,
    sql`delete from deployments where ctid = any(array(
      select ctid from deployments where started_at < ${deploymentsBefore} limit ${chunk}))`,
  );
  await renewStanding(db, { horizon, now });
  // Twice the slack: what a version after the horizon names was renewed at most one slack before it.
  const namedBefore = new Date(horizon.getTime() - 2 * namedAtSlackMs);
  // The second look at named_at is on the locked row: a report that names the content again at this moment wins.
  const contents = await inChunks(
    db,
    sql`delete from contents where named_at < ${namedBefore} and ctid = any(array(
      select ctid from contents where named_at < ${namedBefore} limit ${chunk}))`,
  );
  return { versions, deployments, contents };
}

async function inChunks(db: Kysely<Database>, statement: RawBuilder<unknown>): Promise<number> {
  for (let total = 0; ; ) {
    const affected = Number((await statement.execute(db)).numAffectedRows ?? 0);
    total += affected;
    if (affected < chunk) return total;
  }
}

/** Versions from before the horizon that are still in effect after it may name what nobody has named since. */
async function renewStanding(db: Kysely<Database>, { horizon, now }: { horizon: Date; now: Date }): Promise<void> {
  const stale = new Date(horizon.getTime() - namedAtSlackMs);
  for (let last = { runtime_id: '', key: '' }; ; ) {
    const standing = await db
      .selectFrom('application_versions')
      .select(['runtime_id', 'key'])
      .where('at', '<=', horizon.toISOString())
      .where(sql<boolean>`(runtime_id, key) > (${last.runtime_id}, ${last.key})`)
      .groupBy(['runtime_id', 'key'])
      .orderBy('runtime_id')
      .orderBy('key')
      .limit(applicationsAtOnce)
      .execute();
    const [first, end] = [standing[0], standing.at(-1)];
    if (!first || !end) return;
    await sql`
      with standing as (
        select account_id, head, tree, resources from application_versions
        where at <= ${horizon} and head is not null
          and (runtime_id, key) between (${first.runtime_id}, ${first.key}) and (${end.runtime_id}, ${end.key})
      ), named as (
        select account_id, unnest(array[head, tree, resources]) as hash from standing
        union
        select standing.account_id, found[1]
        from standing
        join contents on contents.account_id = standing.account_id and contents.hash = standing.resources
        cross join lateral regexp_matches(contents.body, '"([0-9a-f]{64})"', 'g') as found
      )
      update contents set named_at = ${now}
      from named
      where contents.account_id = named.account_id and contents.hash = named.hash
        and contents.named_at < ${stale}`.execute(db);
    last = end;
  }
}
