// One Fairlead per home. The lock is a file with the pid; a pid that is not a Fairlead any more does not count.
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { FairleadError, isAlive } from '@fairlead/base';
import { type Home, readJson, writeJson } from './home.ts';

export interface RunningUp {
  readonly pid: number;
  /** '' until the ports are chosen. */
  readonly url: string;
  readonly processes: Readonly<Record<string, number>>;
}

/** The start that runs in this home now, if any. */
export function runningUp(home: Home): RunningUp | undefined {
  const found = readJson<RunningUp>(home.pidFile);
  return found && found.pid !== process.pid && isFairlead(found.pid) ? found : undefined;
}

/** Before anything of the home is touched: of two starts in the same moment one gets it. */
export function takeHome(home: Home): void {
  const draft = `${home.pidFile}.${process.pid}`;
  writeJson(draft, { pid: process.pid, url: '', processes: {} } satisfies RunningUp);
  try {
    while (!linkNew(draft, home.pidFile)) {
      refuseIfRunning(home);
      releaseHome(home); // of a start that was killed
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** False when the name is taken. */
function linkNew(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function refuseIfRunning(home: Home): void {
  const running = runningUp(home);
  if (!running) return;
  const how = running.url === '' ? 'is being started' : 'already runs';
  const where = running.url === '' ? '' : ` at ${running.url}`;
  throw new FairleadError(
    'already_running',
    `Fairlead ${how} in ${home.dir} (pid ${running.pid})${where}; stop it with fairlead down, or use another --home`,
  );
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
  const commandLine = readCommandLine(pid);
  return commandLine.includes('fairlead') || commandLine.includes('start.mjs');
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // gone in between: what we wanted
  }
}

/** '' when there is no such process, or only what is left of one. */
export function readCommandLine(pid: number): string {
  if (!existsSync('/proc/self')) {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // ended in between
  }
}
