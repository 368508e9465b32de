// A real PostgreSQL for tests: the binaries of the npm package, one server per test process, a database per caller.
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '@fairlead/base';
import pg from 'pg';
import { postgresBinaries } from '../embedded-postgres/index.ts';

/** PostgreSQL refuses root; the temporary folder is reachable for everybody. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface TestServer {
  readonly port: number;
  readonly process: ChildProcess;
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Ends the postmaster at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  revive(): Promise<void>;
  /** Stops all its processes where they are: connections stand, and nothing answers until `thaw`. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
}

/** `durable`: it syncs to disk as a real one does; tests do without. */
export async function startTestServer({ durable = false } = {}): Promise<TestServer> {
  const bin = binaries();
  const data = mkdtempSync(join(tmpdir(), 'fairlead-pg-'));
  if (unprivileged.uid !== undefined) chownSync(data, unprivileged.uid, unprivileged.uid);
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  await ended(
    run(join(bin, 'initdb'), ['-D', data, '-U', 'test', '--auth=trust', '-E', 'UTF8', '--no-sync', ...locale]),
  );
  const port = await freePort();
  let child = await startPostmaster({ bin, data, port, durable });
  let databases = 0;
  const url = (database: string) => `postgresql://test@127.0.0.1:${port}/${database}`;
  let frozen: readonly number[] = [];
  const thaw = () => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    frozen = [];
    process.removeListener('exit', thaw);
  };
  const stopChild = async (signal: NodeJS.Signals) => {
    thaw();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  };
  return {
    port,
    get process() {
      return child;
    },
    async createDatabase() {
      const name = `test_${process.pid}_${databases++}`;
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return url(name);
    },
    kill: () => stopChild('SIGQUIT'),
    async revive() {
      child = await startPostmaster({ bin, data, port, durable });
    },
    async freeze() {
      process.once('exit', thaw); // frozen ones would outlive everybody
      frozen = await freezeAll(child.pid ?? 0, url('postgres'));
    },
    thaw,
    async stop() {
      await stopChild('SIGQUIT');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The postmaster first, so that there are no more of them when the others follow. */
async function freezeAll(postmaster: number, connectionString: string): Promise<number[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  process.kill(postmaster, 'SIGSTOP');
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  const others = rows.map(({ pid }) => pid).filter(stopped);
  await client.end();
  return [...others, postmaster];
}

/** False: it ended by itself before. */
function stopped(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGSTOP');
  } catch {
    return false;
  }
}

/** As root a copy that the unprivileged user can reach, wherever the clone lies. */
function binaries(): string {
  const copyDir = join(tmpdir(), 'fairlead-test-postgres');
  mkdirSync(copyDir, { recursive: true, mode: 0o755 });
  return dirname(postgresBinaries({ copyDir, mustCopy: unprivileged.uid !== undefined }).postgres);
}

function run(command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { LC_ALL: 'C' }, cwd: '/', ...unprivileged });
}

async function ended(child: ChildProcess): Promise<void> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`PostgreSQL tool exited with ${code}: ${errors}`);
}

interface Postmaster {
  readonly bin: string;
  readonly data: string;
  readonly port: number;
  readonly durable: boolean;
}

async function startPostmaster({ bin, data, port, durable }: Postmaster): Promise<ChildProcess> {
  rmSync(join(data, 'postmaster.pid'), { force: true });
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=100'];
  if (!durable) settings.push('fsync=off');
  const child = run(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap((s) => ['-c', s])]);
  child.stderr?.resume();
  const deadline = performance.now() + 20_000;
  for (;;) {
    const client = new pg.Client({ connectionString: `postgresql://test@127.0.0.1:${port}/postgres` });
    client.on('error', () => undefined); // the loop below tries again
    try {
      await client.connect();
      await client.end();
      return child;
    } catch (error) {
      if (performance.now() > deadline || child.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}

/** As somebody does who has the database in their hands. */
export async function runSql(databaseUrl: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}

/** Every row of every table, as text, sorted. */
export async function dumpDatabase(databaseUrl: string): Promise<Map<string, string[]>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    );
    const dump = new Map<string, string[]>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from "${name}" t order by 1`);
      dump.set(
        name,
        rows.map(({ text }) => text),
      );
    }
    return dump;
  } finally {
    await client.end();
  }
}
