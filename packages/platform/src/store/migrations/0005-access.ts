import { type Kysely, type Migration, sql } from 'kysely';

// `access_version` grows with every change of rules or default: who has read the rules of a version need not read again.
// `before` of a change: what access rules saw of the application until then, when that is no longer so. Without it the
// live feed could not tell those who lost sight of it, and only those.
const access = sql`
  alter table accounts
    add column access_default text not null default 'open',
    add column access_version bigint not null default 0;
  create table access_rules (
    id text primary key,
    account_id text not null references accounts on delete cascade,
    name text not null,
    effect text not null,
    teams jsonb not null,
    entity text not null,
    actions jsonb not null,
    attributes jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (account_id, name)
  );
  alter table changes add column before jsonb;
`;

export const accessRules: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await access.execute(db);
  },
};
