// A start after kill -9 may find a postmaster of the previous one still running, or only its pid file. Both are ours
// only when the process really is a PostgreSQL on this data folder: a pid may have been given to another program.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, exec, FairleadError, type Logger, sleep } from '@fairlead/base';
import { readCommandLine } from '../../home/index.ts';

interface LeftoverOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export async function stopLeftover(data: string, { log, signal, clock }: LeftoverOptions): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (Number.isInteger(pid) && pid > 1 && (await isPostmasterOf(pid, data))) {
    log.warn({ pid }, 'stopping a PostgreSQL that a killed start left behind');
    await stopProcess(pid, data, { signal, clock });
  }
  rmSync(pidFile, { force: true });
}

async function stopProcess(pid: number, data: string, { signal, clock }: Omit<LeftoverOptions, 'log'>): Promise<void> {
  for (const [killSignal, waitMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    kill(pid, killSignal);
    const deadline = clock.monotonic() + waitMs;
    while (clock.monotonic() < deadline) {
      if (!(await isPostmasterOf(pid, data))) return;
      await sleep(50, { signal, clock });
    }
  }
  throw new FairleadError(
    'postgres_leftover',
    `the PostgreSQL process ${pid} of an earlier start does not end; stop it`,
  );
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // gone in between: what we wanted
  }
}

/** A zombie has an empty command line and does not count. */
async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  const commandLine = existsSync('/proc/self')
    ? readCommandLine(pid)
    : (await exec('ps', ['-o', 'command=', '-p', String(pid)], { okExitCodes: [0, 1] })).stdout.toString();
  return commandLine.includes(data);
}
