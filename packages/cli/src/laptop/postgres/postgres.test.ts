import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, sha256Hex, silentLogger } from '@fairlead/base';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from './index.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function temporaryHome(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-postgres-'));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  // As root the data lives outside the home; see server.ts.
  cleanups.push(() => rmSync(join('/var/lib/fairlead', sha256Hex(dir).slice(0, 16)), { recursive: true, force: true }));
  return dir;
}

async function start(dir: string, port: number): Promise<PostgresServer> {
  const signal = new AbortController().signal;
  const logFile = join(dir, 'postgres.log');
  const server = await startPostgres({ homeDir: dir, dataDir: dir, logFile, port, log: silentLogger, signal });
  cleanups.push(() => server.stop());
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  it('keeps committed rows over a clean stop and over kill -9', { timeout: 60_000 }, async () => {
    const dir = temporaryHome();
    const port = await freePort();
    const first = await start(dir, port);
    await query(first.url, 'create table kept (n int)');
    await query(first.url, 'insert into kept values (1)');
    await first.stop();

    const second = await start(dir, port);
    await query(second.url, 'insert into kept values (2)');
    process.kill(second.pid, 'SIGKILL');
    await second.ended;

    const third = await start(dir, port);
    expect(await query(third.url, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('stops a postmaster that a killed start left running', { timeout: 60_000 }, async () => {
    const dir = temporaryHome();
    const orphan = await start(dir, await freePort());
    const next = await start(dir, await freePort()); // as after kill -9 of the supervisor: nobody stopped the first
    await orphan.ended;
    expect(await query(next.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  it('says at once that another program sits on its port, so that another one is chosen', {
    timeout: 60_000,
  }, async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    cleanups.push(() => void other.close());
    const dir = temporaryHome();
    const refused = start(dir, port);
    await expect(refused).rejects.toMatchObject({ code: 'listen_failed', message: /is taken by another program/ });
    const elsewhere = await start(dir, await freePort());
    expect(await query(elsewhere.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  it('lets nobody in without the password', { timeout: 60_000 }, async () => {
    const server = await start(temporaryHome(), await freePort());
    const url = new URL(server.url);
    url.password = 'wrong';
    await expect(query(url.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  });
});
