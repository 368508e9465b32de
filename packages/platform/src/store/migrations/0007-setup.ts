import { type Kysely, type Migration, sql } from 'kysely';

export const setup: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table runtimes add column install jsonb`.execute(db);
  },
};
