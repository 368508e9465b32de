// The list behind the bell, as one caller may see it.
import { isUnrestricted, type Notification, type NotificationKind, type NotificationPage } from '@fairlead/contracts';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type Caller, type Database, decodePlace, encodePlace, isVisible, type Sight } from '../store/index.ts';

interface Reader {
  readonly caller: Caller;
  readonly sight: Sight;
}

interface ListQuery {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly unread?: boolean | undefined;
}

const goodKinds: ReadonlySet<NotificationKind> = new Set(['application-recovered', 'runtime-online']);

export async function listNotifications(
  db: Kysely<Database>,
  reader: Reader,
  { limit, after, unread = false }: ListQuery,
): Promise<NotificationPage> {
  let select = visible(db, reader)
    .leftJoin('runtimes as named', 'named.id', 'notifications.runtime_id')
    .select(['notifications.id', 'notifications.kind', 'notifications.title', 'notifications.message'])
    .select(['notifications.key', 'notifications.at', 'named.name as runtime'])
    .select(isRead(reader).as('read'))
    .orderBy('notifications.id', 'desc')
    .limit(limit + 1);
  if (after !== undefined) select = select.where('notifications.id', '<', decodePlace(after, ['number'])[0]);
  if (unread) select = select.where(sql<SqlBool>`not ${isRead(reader)}`);
  const [rows, count] = await Promise.all([select.execute(), countUnread(db, reader)]);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const items = rows.slice(0, limit).map(toNotification);
  return { items, unread: count, ...(last ? { next: encodePlace([last.id]) } : {}) };
}

export async function countUnread(db: Kysely<Database>, reader: Reader): Promise<number> {
  const { count } = await visible(db, reader)
    .where(sql<SqlBool>`not ${isRead(reader)}`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Only what the caller may see: others' are left as they are. */
export async function markRead(
  db: Kysely<Database>,
  reader: Reader,
  { ids = [], upTo }: { readonly ids?: readonly string[] | undefined; readonly upTo?: string | undefined },
): Promise<void> {
  const meant = visible(db, reader)
    .where((eb) =>
      eb.or([
        sql<SqlBool>`notifications.id = any(${ids.map(Number)}::bigint[])`,
        ...(upTo === undefined ? [] : [eb('notifications.id', '<=', Number(upTo))]),
      ]),
    )
    .select([sql<string>`${reader.caller.user.id}`.as('user_id'), 'notifications.id as notification_id']);
  await db
    .insertInto('notification_reads')
    .columns(['user_id', 'notification_id'])
    .expression(meant)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** As anybody who is told of it outside the platform sees it; undefined when it is gone. */
export async function notificationById(
  db: Kysely<Database>,
  id: number,
): Promise<Omit<Notification, 'read'> | undefined> {
  const row = await db
    .selectFrom('notifications')
    .leftJoin('runtimes', 'runtimes.id', 'notifications.runtime_id')
    .select(['notifications.id', 'notifications.kind', 'title', 'message', 'key', 'at', 'runtimes.name as runtime'])
    .where('notifications.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { read: _, ...told } = toNotification({ ...row, read: false });
  return told;
}

const isRead = ({ caller }: Reader) => sql<boolean>`exists (select from notification_reads
  where notification_reads.user_id = ${caller.user.id} and notification_reads.notification_id = notifications.id)`;

/** Of an application: to who sees it as it is now; of a runtime: to who sees that; of one that is gone, to who sees all. */
function visible(db: Kysely<Database>, { caller, sight }: Reader) {
  let select = db.selectFrom('notifications').where('notifications.account_id', '=', caller.account.id);
  select = select.where((eb) => eb.or([eb('only_user', 'is', null), eb('only_user', '=', caller.user.id)]));
  if (caller.user.role !== 'admin') select = select.where('only_admins', '=', false);
  if (!isUnrestricted(sight.application)) {
    select = select.where(
      sql<SqlBool>`(notifications.key is null or exists (
        select from applications join runtimes on runtimes.id = applications.runtime_id
        where applications.runtime_id = notifications.runtime_id
          and applications.namespace || '/' || applications.name = notifications.key and ${isVisible(sight.application)}))`,
    );
  }
  if (isUnrestricted(sight.runtime)) return select;
  return select.where(
    sql<SqlBool>`(notifications.key is not null or notifications.runtime_id is null or exists (
      select from runtimes where runtimes.id = notifications.runtime_id and ${isVisible(sight.runtime, 'runtime')}))`,
  );
}

interface Row {
  readonly id: number;
  readonly kind: NotificationKind;
  readonly title: string;
  readonly message: string | null;
  readonly key: string | null;
  readonly at: string;
  readonly runtime: string | null;
  readonly read: boolean;
}

function toNotification({ id, kind, title, message, key, at, runtime, read }: Row): Notification {
  const [namespace = '', name = ''] = key?.split('/') ?? [];
  return {
    id: String(id),
    kind,
    tone: goodKinds.has(kind) ? 'good' : 'bad',
    title,
    at,
    read,
    ...(message === null ? {} : { message }),
    ...(runtime === null ? {} : { runtime }),
    ...(runtime === null || key === null ? {} : { application: { runtime, namespace, name } }),
  };
}
