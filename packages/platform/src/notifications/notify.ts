// Writes down what people should know, in the transaction that makes it so. Something is told once: again only after the
// opposite was told of the same subject (an application that is degraded, progresses and is degraded again is one story).
// Bounded: the oldest of an account go beyond `maxKept`, and those older than the sweep's days.
import type { NotificationKind } from '@fairlead/contracts';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { ChangeKey, Database, Transaction } from '../store/index.ts';

const tellLock = 7_209_174;
/** Per account. */
const maxKept = 2_000;

export interface News {
  readonly accountId: string;
  readonly kind: NotificationKind;
  /** Whatever has the same one is told of in turn. */
  readonly subject: string;
  readonly title: string;
  readonly message?: string | undefined;
  readonly runtimeId?: string | undefined;
  /** `namespace/name` of an application. */
  readonly key?: string | undefined;
  readonly onlyUser?: string | undefined;
  readonly onlyAdmins?: boolean;
}

/** Good news are told only of what bad news were told of last. */
const ends: Partial<Record<NotificationKind, NotificationKind>> = {
  'application-recovered': 'application-degraded',
  'runtime-online': 'runtime-offline',
};

/** What was news; with it the change that wakes the live feed, for `recordChanges`. */
export async function notify(trx: Transaction, news: readonly News[], now: Date): Promise<ChangeKey[]> {
  // Nearly all that gets healthy was never told of as degraded: one question for a whole batch finds that out.
  const candidates = await untold(trx, news);
  if (candidates.length === 0) return [];
  const accounts = [...new Set(candidates.map(({ accountId }) => accountId))].sort();
  // Two that look at the same time would both find that it was not told yet.
  for (const id of accounts) await sql`select pg_advisory_xact_lock(${tellLock}, hashtext(${id}))`.execute(trx);
  const told = await untold(trx, candidates);
  for (const each of told) await tell(trx, each, now);
  const woken = new Set(told.map(({ accountId }) => accountId));
  for (const accountId of woken) await trim(trx, accountId);
  return [...woken].map((accountId) => ({ accountId, kind: 'notification', runtimeId: '', key: '' }));
}

/** One of each subject, where what was told of it last is something else. */
async function untold(trx: Transaction, news: readonly News[]): Promise<News[]> {
  if (news.length === 0) return [];
  const bySubject = new Map(news.map((each) => [idOf(each), each]));
  const { rows } = await sql<{ accountId: string; subject: string; kind: NotificationKind }>`
    select distinct on (account_id, subject) account_id as "accountId", subject, kind from notifications
    where account_id = any(${[...new Set(news.map(({ accountId }) => accountId))]})
      and subject = any(${[...new Set(news.map(({ subject }) => subject))]})
    order by account_id, subject, id desc`.execute(trx);
  const last = new Map(rows.map((row) => [idOf(row), row.kind]));
  return [...bySubject].flatMap(([id, each]) => {
    const ended = ends[each.kind];
    const isNews = ended === undefined ? last.get(id) !== each.kind : last.get(id) === ended;
    return isNews ? [each] : [];
  });
}

const idOf = ({ accountId, subject }: Pick<News, 'accountId' | 'subject'>) => `${accountId} ${subject}`;

async function tell(trx: Transaction, news: News, now: Date): Promise<void> {
  const { id } = await trx
    .insertInto('notifications')
    .values({
      account_id: news.accountId,
      kind: news.kind,
      subject: news.subject,
      title: news.title.slice(0, 500),
      message: news.message?.slice(0, 2_000) ?? null,
      runtime_id: news.runtimeId ?? null,
      key: news.key ?? null,
      only_user: news.onlyUser ?? null,
      only_admins: news.onlyAdmins ?? false,
      at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // What is for one person alone leaves for nobody.
  if (news.onlyUser === undefined) await queueForWebhooks(trx, { ...news, id, now });
}

/** Per webhook. */
const maxWaiting = 1_000;

/** Webhooks that wait for too much get no more, which is counted. */
async function queueForWebhooks(
  trx: Transaction,
  { accountId, kind, id, now }: Pick<News, 'accountId' | 'kind'> & { readonly id: number; readonly now: Date },
): Promise<void> {
  const wants = sql<SqlBool>`webhooks.account_id = ${accountId} and webhooks.kinds ? ${kind}`;
  const isFull = sql<SqlBool>`(select count(*) from webhook_deliveries where webhook_id = webhooks.id) >= ${maxWaiting}`;
  await sql`update webhooks set dropped = dropped + 1 where ${wants} and ${isFull}`.execute(trx);
  await sql`insert into webhook_deliveries (webhook_id, notification_id, next_at)
    select id, ${id}, ${now} from webhooks where ${wants} and not ${isFull}`.execute(trx);
}

async function trim(trx: Transaction, accountId: string): Promise<void> {
  await sql`delete from notifications where account_id = ${accountId} and id <= (
    select id from notifications where account_id = ${accountId} order by id desc offset ${maxKept} limit 1)`.execute(
    trx,
  );
}

export async function sweepNotifications(db: Kysely<Database>, olderThan: Date): Promise<void> {
  await db.deleteFrom('notifications').where('at', '<', olderThan.toISOString()).execute();
}
