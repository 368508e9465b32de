import { type Kysely, type Migration, sql } from 'kysely';

// Each list filter that can be narrow has an index of its own; counts are answered from the narrow index on health and
// sync without touching the rows. Search is by trigrams: any part of a word of three letters or more.
const lists = sql`
  create extension if not exists pg_trgm;
  alter table applications
    add column labels jsonb not null default '{}',
    add column product text not null default '',
    add column repo text not null default '';
  update applications set repo = coalesce(row->>'repoUrl', '');
  create index applications_search on applications using gin (search gin_trgm_ops);
  create index on applications (account_id, health, sync);
  create index on applications (account_id, health_since desc) where health in ('Degraded', 'Missing', 'Unknown');
  create index on applications (account_id, project);
  create index on applications (account_id, cluster);
  create index on applications (account_id, namespace);
  create index on applications (account_id, destination_namespace);
  create index on applications (account_id, repo);
`;

export const listIndexes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await lists.execute(db);
  },
};
