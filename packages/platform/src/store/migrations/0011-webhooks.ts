import { type Kysely, type Migration, sql } from 'kysely';

// A delivery is due at `next_at`; whoever takes it moves that on first, so that one that dies is tried again.
const webhooks = sql`
  create table webhooks (
    id text primary key,
    account_id text not null references accounts on delete cascade,
    name text not null,
    url text not null,
    kinds jsonb not null,
    secret text not null,
    created_at timestamptz not null,
    dropped bigint not null default 0,
    delivered_at timestamptz,
    failed_at timestamptz,
    problem text,
    unique (account_id, name)
  );
  create table webhook_deliveries (
    id bigint generated always as identity primary key,
    webhook_id text not null references webhooks on delete cascade,
    notification_id bigint not null references notifications on delete cascade,
    attempts int not null default 0,
    next_at timestamptz not null
  );
  create index on webhook_deliveries (next_at);
  create index on webhook_deliveries (webhook_id);
  create index on webhook_deliveries (notification_id);
`;

export const webhookTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await webhooks.execute(db);
  },
};
