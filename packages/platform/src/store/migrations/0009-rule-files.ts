import { type Kysely, type Migration, sql } from 'kysely';

// Rules that are files of the Shared Configuration Repository. One runtime speaks for the account's rules: the first that
// reported some, until it is forgotten. `rule_source` is what the list shows of where they come from.
const ruleFiles = sql`
  alter table access_rules add column file text, add column commit text;
  alter table accounts
    add column rule_runtime_id text references runtimes on delete set null,
    add column rule_source jsonb;
`;

export const accessRuleFiles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await ruleFiles.execute(db);
  },
};
