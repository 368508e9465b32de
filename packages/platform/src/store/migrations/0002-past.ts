import { type Kysely, type Migration, sql } from 'kysely';

const versions = sql`
  alter table reported_objects
    add column version_at timestamptz,
    add column version_hash text,
    add column deployments_hash text;
  alter table contents add column named_at timestamptz;
  update contents set named_at = created_at;
  alter table contents alter column named_at set not null;
  create index on contents (named_at);
  create table application_versions (
    account_id text not null references accounts on delete cascade,
    runtime_id text not null references runtimes on delete cascade,
    key text not null,
    at timestamptz not null,
    epoch bigint not null,
    sequence bigint not null,
    uid text not null,
    health text,
    sync text,
    revision text,
    phase text,
    head text,
    tree text,
    resources text,
    primary key (runtime_id, key, at, epoch, sequence)
  );
  create index on application_versions (at);
`;

const deployments = sql`
  create table deployments (
    id bigserial primary key,
    account_id text not null references accounts on delete cascade,
    runtime_id text not null references runtimes on delete cascade,
    key text not null,
    uid text not null,
    history_id bigint,
    revision text not null,
    commit jsonb,
    images_from jsonb not null,
    images_to jsonb not null,
    initiator text,
    automated boolean not null,
    phase text not null,
    message text,
    started_at timestamptz not null,
    finished_at timestamptz
  );
  create unique index on deployments (runtime_id, key, uid, history_id) where history_id is not null;
  create index on deployments (runtime_id, key, started_at desc, id desc);
  create index on deployments (account_id, started_at desc, id desc);
  create index on deployments (started_at);
`;

export const past: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const part of [versions, deployments]) await part.execute(db);
  },
};
