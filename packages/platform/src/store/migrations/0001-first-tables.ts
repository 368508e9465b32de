import { type Kysely, type Migration, sql } from 'kysely';

const people = sql`
  create table accounts (
    id text primary key,
    name text not null unique,
    created_at timestamptz not null
  );
  create table users (
    id text primary key,
    account_id text not null references accounts on delete cascade,
    name text not null,
    email text,
    created_at timestamptz not null,
    unique (account_id, name)
  );
  create table sessions (
    token_hash text primary key,
    user_id text not null references users on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
  );
  create index on sessions (user_id);
  create table sign_in_links (
    code_hash text primary key,
    user_id text not null references users on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  );
  create table api_keys (
    id text primary key,
    user_id text not null references users on delete cascade,
    name text not null,
    key_hash text not null unique,
    prefix text not null,
    created_at timestamptz not null,
    revoked_at timestamptz,
    unique (user_id, name)
  );
  create table signing_keys (
    id text primary key,
    private_jwk jsonb not null,
    created_at timestamptz not null
  );
`;

const reported = sql`
  create table runtimes (
    id text primary key,
    account_id text not null references accounts on delete cascade,
    name text not null,
    kind text not null,
    connected boolean not null default false,
    public_key jsonb,
    install_token_hash text unique,
    install_token_expires_at timestamptz,
    created_at timestamptz not null,
    last_heard_at timestamptz,
    unique (account_id, name)
  );
  create table reported_objects (
    account_id text not null references accounts on delete cascade,
    runtime_id text not null references runtimes on delete cascade,
    kind text not null,
    key text not null,
    uid text not null,
    epoch bigint not null,
    sequence bigint not null,
    hash text not null,
    deleted boolean not null,
    observed_at text not null,
    received_at timestamptz not null,
    payload jsonb,
    primary key (runtime_id, kind, key)
  );
  create table applications (
    account_id text not null references accounts on delete cascade,
    runtime_id text not null references runtimes on delete cascade,
    namespace text not null,
    name text not null,
    project text not null,
    health text not null,
    sync text not null,
    cluster text not null,
    destination_namespace text not null,
    attention integer not null,
    changed_at timestamptz not null,
    health_since timestamptz not null,
    search text not null,
    row jsonb not null,
    primary key (runtime_id, namespace, name)
  );
  create index on applications (account_id, attention, changed_at desc, name, namespace, runtime_id);
  create index on applications (account_id, name, namespace, runtime_id);
  create index on applications (account_id, changed_at desc, name, namespace, runtime_id);
  create table contents (
    account_id text not null references accounts on delete cascade,
    hash text not null,
    body text not null,
    created_at timestamptz not null,
    primary key (account_id, hash)
  );
`;

const feed = sql`
  create table changes (
    id bigserial primary key,
    account_id text not null references accounts on delete cascade,
    kind text not null,
    runtime_id text not null,
    key text not null,
    at timestamptz not null
  );
  create index on changes (at);
  create table quarantine (
    id bigserial primary key,
    account_id text not null references accounts on delete cascade,
    runtime_id text not null references runtimes on delete cascade,
    reporter text not null,
    key text not null,
    reason text not null,
    object text not null,
    at timestamptz not null
  );
  create index on quarantine (runtime_id, id);
`;

export const firstTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const part of [people, reported, feed]) await part.execute(db);
  },
};
