import { type Kysely, type Migration, sql } from 'kysely';

// Rights that follow Git: where the manifest of each application lies (as `manifestsPlace` writes it; '' until it is
// reported), and whether that decides who sees it.
const rightsByGit = sql`
  alter table applications add column manifests text not null default '';
  alter table accounts add column git_rights jsonb;
`;

export const gitRights: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await rightsByGit.execute(db);
  },
};
