import { type Kysely, type Migration, sql } from 'kysely';

// The row of a list is written once and read whole, never searched: kept as the text that it goes out as, it costs the
// database nothing to write out and has no spaces between its members. Rows from before keep theirs until they change.
const asText = sql`alter table applications alter column row type json using row::text::json`;

export const rowsAsText: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await asText.execute(db);
  },
};
