// A start after kill -9 may find a postmaster of the previous one still running, or only its pid file. Both are ours
// only when the process really is a PostgreSQL on this data folder: a pid may have been given to another program.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, FairleadError, type Logger, sleep } from '@fairlead/base';
import { readCommandLine, signalProcess } from '../../home/index.ts';

interface LeftoverOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Whether there was one that ran. */
export async function stopLeftover(data: string, { log, signal, clock }: LeftoverOptions): Promise<boolean> {
  const pidFile = join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return false;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const isRunning = Number.isInteger(pid) && pid > 1 && isPostmasterOf(pid, data);
  if (isRunning) {
    log.warn({ pid }, 'stopping a PostgreSQL that a killed start left behind');
    await stopProcess(pid, data, { signal, clock });
  }
  rmSync(pidFile, { force: true });
  return isRunning;
}

async function stopProcess(pid: number, data: string, { signal, clock }: Omit<LeftoverOptions, 'log'>): Promise<void> {
  for (const [killSignal, waitMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    signalProcess(pid, killSignal);
    const deadline = clock.monotonic() + waitMs;
    while (clock.monotonic() < deadline) {
      if (!isPostmasterOf(pid, data)) return;
      await sleep(50, { signal, clock });
    }
  }
  throw new FairleadError(
    'postgres_leftover',
    `the PostgreSQL process ${pid} of an earlier start does not end; stop it`,
  );
}

/** A zombie has an empty command line and does not count. */
const isPostmasterOf = (pid: number, data: string): boolean => readCommandLine(pid).includes(data);
