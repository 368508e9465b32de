// The embedded PostgreSQL: initialised once, started and stopped with us, found again after any crash.
// TCP on loopback only, with a password of its own; no unix socket, so that a stale socket file cannot block a start.
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type Clock,
  exec,
  FairleadError,
  isPortFree,
  type Logger,
  openLogFile,
  sleep,
  systemClock,
} from '@fairlead/base';
import { type PostgresBinaries, postgresBinaries } from '@fairlead/platform/embedded-postgres';
import pg from 'pg';
import { databaseDirOf } from '../../home/index.ts';
import { claimDatabase } from './belonging.ts';
import { stopLeftover } from './leftover.ts';

interface PostgresOptions {
  readonly homeDir: string;
  readonly dataDir: string;
  readonly logFile: string;
  readonly port: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

export interface PostgresServer {
  readonly url: string;
  readonly pid: number;
  /** Settles when the postmaster has ended, wanted or not. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Nobody's uid on every Linux; PostgreSQL refuses root, so root hands it to this user. */
const unprivileged = { uid: 65_534, gid: 65_534 };
const asRoot = () => process.getuid?.() === 0;
const patienceMs = 30_000;

export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { port, log, signal, clock = systemClock } = options;
  const dir = databaseDirOf({ dir: options.homeDir, dataDir: options.dataDir });
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const data = join(dir, 'postgres');
  // One copy of the binaries serves all homes that root starts.
  const binaries = postgresBinaries({ copyDir: asRoot() ? dirname(dir) : dir, mustCopy: asRoot() });
  await stopLeftover(data, { log, signal, clock }); // before a database is moved, nothing may run on it
  const password = claimDatabase({ dataDir: options.dataDir, databaseDir: dir }, log);
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(binaries, data, password, signal);
  const url = `postgresql://fairlead:${password}@127.0.0.1:${port}/fairlead`;
  const deadlineMs = clock.monotonic() + patienceMs;
  for (;;) {
    await stopLeftover(data, { log, signal, clock });
    const child = spawnPostmaster(binaries, data, options);
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    try {
      await untilReady(url, { child, deadlineMs, signal, clock });
      return { url, pid: child.pid ?? 0, ended, stop: () => stopPostmaster(child, ended) };
    } catch (cause) {
      child.kill('SIGQUIT');
      if (signal.aborted) throw cause;
      if (hasEnded(child) && !(await isPortFree(port))) {
        const message = `port ${port} on 127.0.0.1, for the embedded PostgreSQL, is taken by another program`;
        throw new FairleadError('listen_failed', message, { cause });
      }
      if (clock.monotonic() > deadlineMs) {
        const message = `the embedded PostgreSQL did not start within ${patienceMs / 1000} s; see ${options.logFile}`;
        throw new FairleadError('postgres_not_ready', message, { cause });
      }
      // Helper processes of a killed postmaster hold its shared memory for a moment; the next try finds it free.
      await sleep(200, { signal, clock });
    }
  }
}

/**
 * Made beside and renamed: initdb writes PG_VERSION first, so a folder in which it was killed looks like a database. Each
 * start has a folder of its own, for the initdb of a killed one may still be writing.
 */
async function initialise(binaries: PostgresBinaries, data: string, password: string, signal: AbortSignal) {
  for (const name of readdirSync(dirname(data)).filter((each) => each.startsWith(`${basename(data)}.half-`))) {
    rmSync(join(dirname(data), name), { recursive: true, force: true, maxRetries: 5 });
  }
  const half = `${data}.half-${process.pid}`;
  mkdirSync(half, { recursive: true, mode: 0o700 });
  const passwordFile = `${half}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (asRoot()) for (const path of [half, passwordFile]) chownSync(path, unprivileged.uid, unprivileged.gid);
  const args = ['-D', half, '-U', 'fairlead', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-sync'];
  try {
    await exec(binaries.initdb, [...args, ...locale], {
      cwd: half,
      env: { PATH: process.env['PATH'] ?? '' },
      signal,
      timeoutMs: 120_000,
      ...(asRoot() ? unprivileged : {}),
    });
    rmSync(data, { recursive: true, force: true }); // has no PG_VERSION: an earlier version left it, cut short
    renameSync(half, data);
  } catch (cause) {
    throw new FairleadError('postgres_init_failed', 'the embedded PostgreSQL could not be initialised', { cause });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function spawnPostmaster(binaries: PostgresBinaries, data: string, { port, logFile }: PostgresOptions): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '60',
    shared_buffers: '32MB',
    jit: 'off',
    // A laptop that sleeps must not wake up for the sake of an idle database.
    autovacuum_naptime: '300s',
    checkpoint_timeout: '15min',
    bgwriter_delay: '10s',
    wal_writer_delay: '5s',
  };
  const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const output = openLogFile(logFile);
  try {
    return spawn(binaries.postgres, ['-D', data, ...args], {
      cwd: data,
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', output, output],
      // A process group of its own: Ctrl-C at the terminal must not stop the database before those who use it.
      detached: true,
      ...(asRoot() ? unprivileged : {}),
    });
  } finally {
    closeSync(output);
  }
}

interface ReadyOptions {
  readonly child: ChildProcess;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Rejects when the postmaster has ended or the deadline has passed. */
async function untilReady(url: string, { child, deadlineMs, signal, clock }: ReadyOptions): Promise<void> {
  const admin = url.replace(/\/fairlead$/, '/postgres');
  for (;;) {
    signal.throwIfAborted();
    try {
      return await ensureDatabase(admin);
    } catch (error) {
      if (hasEnded(child) || clock.monotonic() > deadlineMs) throw error;
      await sleep(30, { signal, clock });
    }
  }
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = 'fairlead'");
    if (found.rowCount === 0) await client.query('create database fairlead');
  } finally {
    await client.end();
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function stopPostmaster(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGINT'); // fast shutdown: ends sessions, writes a checkpoint
  const hard = systemClock.after(10_000, () => child.kill('SIGQUIT'));
  await ended;
  hard();
}
