// One Fairlead per home. The lock is a file with the pid; a pid that is not a Fairlead any more does not count.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { FairleadError, isAlive } from '@fairlead/base';
import { type Home, readJson, writeJson } from './home.ts';

export interface RunningUp {
  readonly pid: number;
  readonly url: string;
  readonly processes: Readonly<Record<string, number>>;
}

/** The start that runs in this home now, if any. */
export function runningUp(home: Home): RunningUp | undefined {
  const found = readJson<RunningUp>(home.pidFile);
  return found && found.pid !== process.pid && isFairlead(found.pid) ? found : undefined;
}

/** Before anything of the home is touched. */
export function refuseIfRunning(home: Home): void {
  const running = runningUp(home);
  if (!running) return;
  throw new FairleadError(
    'already_running',
    `Fairlead already runs in ${home.dir} (pid ${running.pid}) at ${running.url}; stop it with fairlead down, or use another --home`,
  );
}

export function takeHome(home: Home, url: string): void {
  writeJson(home.pidFile, { pid: process.pid, url, processes: {} } satisfies RunningUp);
}

export function recordProcesses(home: Home, up: RunningUp): void {
  writeJson(home.pidFile, up);
}

export function releaseHome(home: Home): void {
  rmSync(home.pidFile, { force: true });
}

/** Of this machine, and alive. */
export function isFairlead(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (!existsSync('/proc/self')) return true;
  const commandLine = readCommandLine(pid);
  return commandLine.includes('fairlead') || commandLine.includes('start.mjs');
}

/** By Linux; '' when there is no such process, or only what is left of one. */
export function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // ended in between
  }
}
