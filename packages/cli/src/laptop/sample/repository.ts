// Puts files into the built-in git server, the way a person would: by a push.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exec } from '@fairlead/base';

interface PushOptions {
  readonly url: string;
  readonly apiKey: string;
  /** Path → text. */
  readonly files: Readonly<Record<string, string>>;
  readonly message: string;
  readonly signal: AbortSignal;
}

/** The first commit of a new repository; one that has a branch already is left as it is: an earlier start was cut. */
export async function pushFiles({ url, apiKey, files, message, signal }: PushOptions): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-sample-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: dir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Fairlead',
    GIT_AUTHOR_EMAIL: 'sample@fairlead.io',
    GIT_COMMITTER_NAME: 'Fairlead',
    GIT_COMMITTER_EMAIL: 'sample@fairlead.io',
    // The key reaches git through its environment, not through an argument that every user of the machine can see.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`fairlead:${apiKey}`).toString('base64')}`,
  };
  const git = (...args: string[]) => exec('git', args, { cwd: dir, env, signal, timeoutMs: 60_000 });
  try {
    if (await hasBranch(url, { cwd: dir, env, signal })) return;
    await git('init', '--quiet', '--initial-branch=main');
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    await git('add', '.');
    await git('commit', '--quiet', '-m', message);
    await git('push', '--quiet', url, 'main');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** False also when there is no such repository yet; a server that is away is told of by the push. */
async function hasBranch(
  url: string,
  { cwd, env, signal }: { cwd: string; env: Record<string, string>; signal: AbortSignal },
): Promise<boolean> {
  const args = ['ls-remote', '--exit-code', '--heads', url, 'main'];
  const { exitCode } = await exec('git', args, { cwd, env, signal, timeoutMs: 60_000, okExitCodes: [0, 2, 128] });
  return exitCode === 0;
}
