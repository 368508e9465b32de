import { silentLogger } from '@fairlead/base';
import { Migrator, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from './index.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { startTestServer, type TestServer } from './testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

const names = Object.keys(migrations);
const options = { log: silentLogger, signal: new AbortController().signal };

async function open(): Promise<Store> {
  return openStore({ url: await server.createDatabase(), log: silentLogger, maxConnections: 2 });
}

/** Every column of every table, as the database tells it. */
async function shapeOf({ db }: Store): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as line
    from information_schema.columns where table_schema = 'public' order by 1`.execute(db);
  return rows.map(({ line }) => line);
}

async function upTo({ db }: Store, name: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } });
  const { error } = await migrator.migrateTo(name);
  if (error !== undefined) throw error;
}

async function fillFirst({ db }: Store): Promise<void> {
  await sql`
    insert into accounts values ('a', 'account', now());
    insert into users (id, account_id, name, created_at) values ('u', 'a', 'admin', now());
    insert into api_keys (id, user_id, name, key_hash, prefix, created_at) values ('k', 'u', 'key', 'h', 'p', now());
    insert into sessions (token_hash, user_id, created_at, expires_at) values ('s', 'u', now(), now());
    insert into runtimes (id, account_id, name, kind, created_at) values ('r', 'a', 'runtime', 'hybrid', now());
    insert into contents (account_id, hash, body, created_at) values ('a', 'h', '{}', now());
    insert into reported_objects (account_id, runtime_id, kind, key, uid, epoch, sequence, hash, deleted, observed_at, received_at)
      values ('a', 'r', 'application', 'n/x', 'uid', 1, 1, 'h', false, 'now', now());
    insert into applications values ('a', 'r', 'n', 'x', 'p', 'Healthy', 'Synced', 'c', 'd', 7, now(), now(), 'x', '{}')
  `.execute(db);
}

describe('migrations', () => {
  it('are numbered in order', () => {
    expect(names).toEqual([...names].sort());
  });

  it('give the same tables from empty at once, and step by step over rows that are there', async () => {
    const [atOnce, stepwise] = [await open(), await open()];
    try {
      await migrate(atOnce.db, options);
      for (const [index, name] of names.entries()) {
        await upTo(stepwise, name);
        if (index === 0) await fillFirst(stepwise);
      }
      expect(await shapeOf(stepwise)).toEqual(await shapeOf(atOnce));
      const kept = await stepwise.db.selectFrom('applications').select('name').execute();
      expect(kept).toEqual([{ name: 'x' }]);
    } finally {
      await Promise.all([atOnce.close(), stepwise.close()]);
    }
  });

  it('may be run by several at once', async () => {
    const url = await server.createDatabase();
    const stores = [1, 2, 3].map(() => openStore({ url, log: silentLogger, maxConnections: 2 }));
    try {
      await Promise.all(stores.map(({ db }) => migrate(db, options)));
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
});
