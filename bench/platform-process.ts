// The platform as a process of its own on a PostgreSQL of its own, so that its memory and CPU can be told apart from the
// bench's.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@fairlead/base';
import { startTestServer } from '@fairlead/platform/testing';
import { spawnRole } from '../conformance/role-process.ts';
import { costOf } from './processes.ts';
import type { Result } from './report.ts';

const apiKey = 'bench-key-0123456789abcdef';

export interface PlatformProcess {
  readonly url: string;
  readonly databaseUrl: string;
  readonly pid: number;
  /** Of the postmaster: its children serve one connection each. */
  readonly postgresPid: number;
  readonly apiKey: string;
  /** Killed, and started again at the same address; resolves when it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** `flags`: further settings of the role. */
export async function startPlatformProcess(flags: readonly string[] = []): Promise<PlatformProcess> {
  const postgres = await startTestServer({ durable: true });
  const databaseUrl = await postgres.createDatabase();
  const keyFile = join(mkdtempSync(join(tmpdir(), 'fairlead-bench-')), 'api-key');
  writeFileSync(keyFile, apiKey, { mode: 0o600 });
  const port = await freePort();
  const settings = ['--platform-port', String(port), '--database-url', databaseUrl, '--api-key-file', keyFile];
  const url = `http://127.0.0.1:${port}`;
  const start = async () => {
    const started = spawnRole('platform', [...settings, ...flags]);
    await untilReady(url, started);
    return started;
  };
  let child = await start();
  const end = async (signal: NodeJS.Signals) => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  };
  return {
    url,
    databaseUrl,
    get pid() {
      return child.pid ?? 0;
    },
    postgresPid: postgres.process.pid ?? 0,
    apiKey,
    async restart() {
      await end('SIGKILL');
      child = await start();
    },
    async stop() {
      await end('SIGTERM');
      await postgres.stop();
    },
  };
}

const parts = ['generator', 'platform', 'PostgreSQL'] as const;

/** What each has used so far, in the order of `parts`; the generator is this process. */
export function cpuSeconds({ pid, postgresPid }: PlatformProcess): number[] {
  const { user, system } = process.cpuUsage();
  return [(user + system) / 1e6, costOf(pid).cpuSeconds, costOf(postgresPid).cpuSeconds];
}

interface Used {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly count: number;
  readonly noun: string;
}

/** Seconds of CPU for so many of what was done: unlike times and rates, nearly the same on a busy machine. */
export const cpuPer = (many: number, { before, after, count, noun }: Used): Result[] =>
  parts.map((part, index) => {
    const value = (((after[index] ?? 0) - (before[index] ?? 0)) / count) * many;
    const unit = `s/${many.toLocaleString('en')} ${noun}`;
    return { metric: `CPU of the ${part}`, unit, value, spread: [value, value] };
  });

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('the platform did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
