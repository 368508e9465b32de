import { type Kysely, type Migration, sql } from 'kysely';

export const runtimeAccess: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table runtimes
      add column access_mode text not null default 'tunnel' check (access_mode in ('tunnel', 'ingress', 'mesh')),
      add column access_url text`.execute(db);
  },
};
