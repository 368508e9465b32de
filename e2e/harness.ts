// Starts Fairlead the way a person does, in a home of its own, and gives tests what a person has: the URL, the sign-in
// link, the API key, the command line, git.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const cli = join(root, 'packages/cli/bin/fairlead.mjs');
const execute = promisify(execFile);

export interface Endpoints {
  readonly platform: string;
  readonly cluster: string;
  readonly engine: string;
  readonly git: string;
  readonly appProxy: string;
}

const atExit: (() => void)[] = [];

/** When the tests of this process are over, also when it gives up. */
function whenOver(work: () => void): void {
  if (atExit.length === 0) {
    process.once('exit', () => {
      for (const each of atExit.reverse()) each();
    });
  }
  atExit.push(work);
}

/** Removed, with its database, when the tests of this process are over. */
export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'fairlead-e2e-'));
  whenOver(() => {
    for (const dir of [home, databaseDir(home)]) rmSync(dir, { recursive: true, force: true });
  });
  return home;
}

/** Where a start by root keeps the database of this home. */
export function databaseDir(home: string): string {
  return join('/var/lib/fairlead', createHash('sha256').update(home).digest('hex').slice(0, 16));
}

/** A start that is killed with all its processes, as by a power cut, when `isTime`. */
export async function killedStart(home: string, isTime: () => boolean): Promise<void> {
  const args = [cli, 'up', '--home', home, '--no-open', '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: 'ignore', detached: true });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await eventually('the time to kill a start', async () => child.exitCode !== null || isTime(), Boolean);
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  const postmaster = databases(home)
    .map((dir) => join(dir, 'postmaster.pid'))
    .find(existsSync);
  const pid = postmaster ? Number.parseInt(readFileSync(postmaster, 'utf8'), 10) : 0;
  if (pid > 0) killHard(pid); // it has a group of its own
  await ended;
}

/** Whether initdb has begun. */
export const databaseHasBegun = (home: string): boolean =>
  databases(home).some((dir) => existsSync(join(dir, 'PG_VERSION')));

/** Also those that are not whole yet. */
function databases(home: string): string[] {
  const parents = [join(home, 'data'), databaseDir(home)].filter(existsSync);
  return parents
    .flatMap((dir) => readdirSync(dir).map((name) => join(dir, name)))
    .filter((dir) => /postgres/.test(dir));
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it ended by itself
  }
}

/** What the roles warned of, so that a start that failed on another machine can be understood from its report. */
function complaints(home: string): string {
  const logs = join(home, 'logs');
  const lines = readdirSync(logs).flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n'));
  return lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line)).join('\n');
}

export class Fairlead {
  readonly home: string;
  readonly #child: ChildProcess;
  readonly #output: string[];

  private constructor(home: string, child: ChildProcess, output: string[]) {
    this.home = home;
    this.#child = child;
    this.#output = output;
  }

  /** Resolves when the ready line was printed; rejects with everything printed when it ends before. */
  static async start(
    home: string,
    flags: readonly string[] = [],
    { program = [cli, 'up'], env = process.env }: { program?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
  ): Promise<Fairlead> {
    const port = flags.includes('--port') ? [] : ['--port', '0'];
    const args = [...program, '--home', home, '--no-open', ...port, ...flags];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: string[] = [];
    const fairlead = new Fairlead(home, child, output);
    whenOver(() => child.kill('SIGTERM'));
    child.stderr?.on('data', (chunk) => output.push(String(chunk)));
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (chunk) => {
        output.push(String(chunk));
        if (fairlead.output.includes('Fairlead is ready') && fairlead.output.includes('Sign in')) resolve();
      });
      child.once('exit', (code) =>
        reject(new Error(`fairlead up ended with ${code}:\n${fairlead.output}\n${complaints(home)}`)),
      );
    });
    return fairlead;
  }

  get output(): string {
    return this.#output.join('');
  }

  /** Of the supervisor. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get endpoints(): Endpoints {
    return JSON.parse(readFileSync(join(this.home, 'endpoints.json'), 'utf8')) as Endpoints;
  }

  get apiKey(): string {
    return readFileSync(join(this.home, 'api-key'), 'utf8').trim();
  }

  get signInUrl(): string {
    const found = /https?:\/\/\S+\/sign-in\?code=\S+/.exec(this.output)?.[0];
    if (!found) throw new Error(`no sign-in link was printed:\n${this.output}`);
    return found;
  }

  /** `fairlead ARGS --home HOME`; the standard output. */
  async run(...args: string[]): Promise<string> {
    const { stdout } = await execute(process.execPath, [cli, ...args, '--home', this.home]);
    return stdout;
  }

  /** Of the API, as the administrator. For what is asked again and again: a process for each question is dear. */
  async get<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.endpoints.platform}/api/v1${path}`, {
      headers: { authorization: `Bearer ${this.apiKey}` },
    });
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** A new one; the printed one is good for one use. */
  async signInLink(): Promise<string> {
    const answer = await fetch(`${this.endpoints.platform}/api/v1/sign-in-links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiKey}` },
    });
    return ((await answer.json()) as { url: string }).url;
  }

  async application(name: string): Promise<ApplicationForm> {
    return (await this.get<{ row: ApplicationForm }>(`/applications/hosted/argocd/${name}`)).row;
  }

  /** Of the roles and PostgreSQL, by name; the supervisor writes it down. */
  get processes(): Readonly<Record<string, number>> {
    return (JSON.parse(readFileSync(join(this.home, 'data/up.json'), 'utf8')) as { processes: Record<string, number> })
      .processes;
  }

  clone(): Promise<SampleClone> {
    return SampleClone.of(`${this.endpoints.git}/demo/guestbook.git`, this.apiKey);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill(signal);
    await ended;
  }
}

/** What tests look at of a row. */
interface ApplicationForm {
  readonly health: { readonly status: string };
  readonly sync: { readonly status: string; readonly revision: string };
  readonly images: readonly string[];
}

/** A working copy of the sample repository, as a developer has it. */
export class SampleClone {
  readonly dir: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(dir: string, env: NodeJS.ProcessEnv) {
    this.dir = dir;
    this.#env = env;
  }

  static async of(url: string, apiKey: string, user = 'dana'): Promise<SampleClone> {
    const dir = mkdtempSync(join(tmpdir(), 'fairlead-clone-'));
    const clone = new SampleClone(dir, {
      PATH: process.env['PATH'],
      HOME: dir,
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Dana Rivers',
      GIT_AUTHOR_EMAIL: 'dana@example.com',
      GIT_COMMITTER_NAME: 'Dana Rivers',
      GIT_COMMITTER_EMAIL: 'dana@example.com',
    });
    const withKey = url.replace('://', `://${user}:${encodeURIComponent(apiKey)}@`);
    await clone.git('clone', '--quiet', withKey, '.');
    return clone;
  }

  async git(...args: string[]): Promise<string> {
    return (await execute('git', args, { cwd: this.dir, env: this.#env })).stdout.trim();
  }

  edit(path: string, change: (text: string) => string): void {
    const file = join(this.dir, path);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  }

  remove(path: string): void {
    rmSync(join(this.dir, path));
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.dir, path), text);
  }

  /** Commits everything and pushes, again while the server is not there (it may have been killed); the commit id. */
  async push(message: string): Promise<string> {
    await this.git('add', '-A');
    await this.git('commit', '--quiet', '-m', message);
    await eventually(
      'push',
      () => this.git('push', '--quiet', 'origin', 'HEAD:main'),
      () => true,
    );
    return this.git('rev-parse', 'HEAD');
  }
}

/** Asks until the answer satisfies, and fails with the last one after the deadline. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T>,
  isGood: (value: T) => boolean,
  timeoutMs = 45_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const value = await ask();
      if (isGood(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen within ${timeoutMs} ms; last: ${JSON.stringify(last) ?? String(last)}`);
}
