import { type Kysely, type Migration, sql } from 'kysely';

const people = sql`
  alter table users
    add column kind text not null default 'person',
    add column role text not null default 'user',
    add column status text not null default 'active',
    add column password_hash text;
  update users set role = 'admin' where name = 'admin';
  alter table runtimes add column rotating boolean not null default false;
  alter table sessions add column id text, add column client text not null default '';
  update sessions set id = 'session_' || substr(md5(token_hash), 1, 20);
  alter table sessions alter column id set not null;
  create unique index on sessions (id);
  alter table api_keys
    add column scopes jsonb not null default '["read", "act", "admin"]',
    add column expires_at timestamptz,
    add column last_used_at timestamptz;
  create table teams (
    id text primary key,
    account_id text not null references accounts on delete cascade,
    name text not null,
    created_at timestamptz not null,
    unique (account_id, name)
  );
  create table team_members (
    team_id text not null references teams on delete cascade,
    user_id text not null references users on delete cascade,
    primary key (team_id, user_id)
  );
  create index on team_members (user_id);
`;

// The chain is one per account; its head is a row that whoever appends must lock.
const audit = sql`
  create table audit_heads (
    account_id text primary key references accounts on delete cascade,
    number bigint not null,
    hash text not null
  );
  create table audit (
    account_id text not null references accounts on delete cascade,
    number bigint not null,
    at timestamptz not null,
    actor_id text not null,
    actor_name text not null,
    action text not null,
    entity_kind text not null,
    entity text not null,
    outcome text not null,
    request_id text not null,
    details text not null,
    previous text not null,
    hash text not null,
    primary key (account_id, number)
  );
  create index on audit (account_id, at);
`;

export const peopleAndAudit: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const part of [people, audit]) await part.execute(db);
  },
};
