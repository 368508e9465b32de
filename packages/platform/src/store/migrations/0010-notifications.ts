import { type Kysely, type Migration, sql } from 'kysely';

// `subject` is what it is about (an application's runtime and key, a runtime, a key, a file): whether something is news is
// decided by the last notification on the same subject. `only_user`, `only_admins`: who alone may see it.
const notifications = sql`
  create table notifications (
    id bigint generated always as identity primary key,
    account_id text not null references accounts on delete cascade,
    kind text not null,
    subject text not null,
    title text not null,
    message text,
    runtime_id text references runtimes on delete cascade,
    key text,
    only_user text references users on delete cascade,
    only_admins boolean not null default false,
    at timestamptz not null
  );
  create index on notifications (account_id, id);
  create index on notifications (account_id, subject, id);
  create table notification_reads (
    user_id text not null references users on delete cascade,
    notification_id bigint not null references notifications on delete cascade,
    primary key (user_id, notification_id)
  );
  create index on notification_reads (notification_id);
`;

export const notificationTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await notifications.execute(db);
  },
};
