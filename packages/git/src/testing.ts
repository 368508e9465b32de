// A working copy driven by the system's git, for tests of this package and of those above it.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exec } from '@fairlead/base';

const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  // It lives as long as a test: nothing is packed, nothing must survive a crash.
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'core.fsync',
  GIT_CONFIG_VALUE_1: 'none',
};

export class WorkingCopy {
  readonly dir: string;

  private constructor(dir: string) {
    this.dir = dir;
  }

  static async init(dir: string): Promise<WorkingCopy> {
    await mkdir(dir, { recursive: true });
    const copy = new WorkingCopy(dir);
    await copy.git('init', '--quiet', '--template=', '--initial-branch=main');
    return copy;
  }

  async git(...args: string[]): Promise<string> {
    const { stdout } = await exec('git', ['-C', this.dir, ...args], { env, timeoutMs: 60_000 });
    return stdout.toString('utf8').trim();
  }

  /** Writes files; `null` removes one. */
  async write(files: Readonly<Record<string, string | Buffer | null>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.dir, path);
      if (content === null) await rm(file, { recursive: true });
      else {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
    }
  }

  /** Commits everything and gives back the commit's id. */
  async commit(message: string): Promise<string> {
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '-m', message);
    const head = await this.#read('HEAD');
    const branch = /^ref: (.+)$/.exec(head)?.[1];
    return branch ? this.#read(branch) : head; // a branch that has just moved is a file
  }

  async #read(file: string): Promise<string> {
    return (await readFile(join(this.dir, '.git', file), 'utf8')).trim();
  }
}
