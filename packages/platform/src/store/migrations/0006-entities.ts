import { type Kysely, type Migration, sql } from 'kysely';

// Applications that are Git Sources or a runtime's own configuration are kept out of the lists of what people deploy:
// counts are answered from the narrow index on those alone. Clusters and Git Sources are listed by kind.
const tables = sql`
  alter table applications add column entity text not null default '';
  update applications set entity = coalesce(labels->>'fairlead.io/entity', labels->>'codefresh.io/entity', '')
    where coalesce(labels->>'fairlead.io/entity', labels->>'codefresh.io/entity', '')
      in ('git-source', 'internal-config', 'runtime');
  create index on applications (account_id, health, sync) where entity = '';
  create index on reported_objects (account_id, kind) where kind in ('cluster', 'git-source') and not deleted;
`;

export const entities: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await tables.execute(db);
  },
};
