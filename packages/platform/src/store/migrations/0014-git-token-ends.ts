import { type Kysely, type Migration, sql } from 'kysely';

// What runtimes told of people's Git tokens: until when they work and what is wrong with them; never a token.
const gitTokenEnds = sql`
  create table git_token_ends (
    account_id text not null references accounts on delete cascade,
    user_id text not null references users on delete cascade,
    runtime_id text not null references runtimes on delete cascade,
    host text not null,
    expires_at timestamptz,
    problem text,
    primary key (user_id, runtime_id, host)
  );
  create index on git_token_ends (expires_at);
`;

export const gitTokenEndsTable: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await gitTokenEnds.execute(db);
  },
};
