// What a machine must have: checked before anything is written.
import { lookup } from 'node:dns/promises';
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { exec, FairleadError } from '@fairlead/base';

/** `git cat-file --batch-command` came with 2.36. */
const oldestGit = [2, 36] as const;

export async function checkMachine(signal: AbortSignal): Promise<void> {
  const found = await gitVersion(signal);
  const [major = 0, minor = 0] = found.split('.').map(Number);
  if (major < oldestGit[0] || (major === oldestGit[0] && minor < oldestGit[1])) {
    throw new FairleadError(
      'git_too_old',
      `git ${found} is too old; Fairlead needs git ${oldestGit.join('.')} or newer`,
    );
  }
}

async function gitVersion(signal: AbortSignal): Promise<string> {
  try {
    const { stdout } = await exec('git', ['--version'], { signal });
    return /\d+(\.\d+)+/.exec(stdout.toString())?.[0] ?? '0';
  } catch (cause) {
    throw new FairleadError('git_missing', 'git was not found; install git (2.36 or newer) and start again', { cause });
  }
}

/** A database, a cluster and the sample take about 150 MiB; with less, a start would stop half-way. */
const leastFreeMiB = 200;

export function checkDisk(dir: string, freeMiB: (dir: string) => number = freeMiBOf): void {
  const free = freeMiB(dir);
  if (free >= leastFreeMiB) return;
  const message = `the disk of ${dir} is full (${free} MiB free); make room for at least ${leastFreeMiB} MiB, or choose another disk with --home DIR`;
  throw new FairleadError('disk_full', message);
}

/** Also of a folder that is yet to be made. */
export function freeMiBOf(dir: string): number {
  if (!existsSync(dir) && dirname(dir) !== dir) return freeMiBOf(dirname(dir));
  const { bavail, bsize } = statfsSync(dir);
  return Math.floor((bavail * bsize) / 2 ** 20);
}

/** How people name this machine to itself. Bare systems have no hosts file, and then no `localhost`. */
export async function localName(): Promise<string> {
  const addresses = await lookup('localhost', { all: true }).catch(() => []);
  return addresses.some(({ address }) => address === '127.0.0.1') ? 'localhost' : '127.0.0.1';
}
