// What a machine must have: checked before anything is written.
import { lookup } from 'node:dns/promises';
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

/** How people name this machine to itself. Bare systems have no hosts file, and then no `localhost`. */
export async function localName(): Promise<string> {
  const addresses = await lookup('localhost', { all: true }).catch(() => []);
  return addresses.some(({ address }) => address === '127.0.0.1') ? 'localhost' : '127.0.0.1';
}
