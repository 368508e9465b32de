import { exec } from '@fairlead/base';
import { gitEnvironment } from '../mirror/index.ts';

interface PlumbingOptions {
  readonly input?: string;
  readonly okExitCodes?: readonly number[];
  /** Who writes; for commands that make commits. */
  readonly user?: string;
}

export interface Plumbed {
  readonly exitCode: number;
  readonly text: string;
}

/** One git command in a bare repository. */
export async function plumb(gitDir: string, args: readonly string[], options: PlumbingOptions = {}): Promise<Plumbed> {
  const { user, ...rest } = options;
  const env = { ...gitEnvironment(), ...(user === undefined ? {} : identityOf(user)) };
  const answer = await exec('git', ['--git-dir', gitDir, ...args], { env, timeoutMs: 60_000, ...rest });
  return { exitCode: answer.exitCode, text: answer.stdout.toString('utf8').trim() };
}

/** The commit a ref names; undefined when there is no such ref, or it names something else. */
export async function commitAt(gitDir: string, revision: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { exitCode, text } = await plumb(gitDir, args, { okExitCodes: [0, 1, 128] });
  return exitCode === 0 ? text : undefined;
}

function identityOf(user: string): Record<string, string> {
  const name = user.replaceAll(/[^\p{L}\p{N} ._@+-]/gu, '').trim() || 'git'; // who signs in may call himself anything
  const email = name.includes('@') ? name : `${name.replaceAll(' ', '.')}@fairlead.invalid`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
