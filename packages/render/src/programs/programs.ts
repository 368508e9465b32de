// The programs on PATH, each run in a folder of its own.
//
// Promises: no shell; an environment that names nothing of ours; input, output and time are bounded; the program and what it
// started are killed at the deadline, at an abort and when it ends; its folder goes with it. As root it runs as `nobody`.
// Without `network` there is no `git` to call and every proxy is a closed port, which keeps helm and kustomize, as they
// are made, from fetching. It is no jail: whoever can replace a program on PATH owns this process anyway.
import { constants } from 'node:fs';
import { access, chown, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { ExecError, exec } from '@fairlead/base';
import { RenderError } from '../errors.ts';
import { cleanPath } from '../tree/index.ts';
import type { ProgramCall, ProgramName, ProgramSource } from './program-source.ts';

export interface ProgramsOptions {
  /** Where programs are looked for: the value of PATH. */
  readonly path: string;
  /** Let programs fetch what a kustomization names. */
  readonly network?: boolean;
  readonly deadlineMs?: number;
  readonly maxOutputBytes?: number;
  /** Where the folders of runs are made. */
  readonly dir?: string;
}

const names: readonly ProgramName[] = ['helm', 'kustomize'];
const nobody = 65_534;
const maxMessage = 4000;
const mebibyte = 1024 * 1024;
/** The discard port: nothing listens there. */
const closedProxy = 'http://127.0.0.1:9';

export class Programs implements ProgramSource {
  readonly #options: Required<ProgramsOptions>;

  constructor(options: ProgramsOptions) {
    const defaults = { network: false, deadlineMs: 90_000, maxOutputBytes: 32 * mebibyte, dir: tmpdir() };
    this.#options = { ...defaults, ...options };
  }

  async identity(): Promise<string> {
    const found = await Promise.all(names.map((name) => this.#find(name)));
    const each = found.map(async (file) => {
      if (file === undefined) return 'none';
      const { size, mtimeMs } = await stat(file);
      return `${await realpath(file)} ${size} ${mtimeMs}`;
    });
    return [...(await Promise.all(each)), this.#options.network ? 'online' : 'offline'].join('; ');
  }

  async run({ program, args, files }: ProgramCall, { signal }: { signal?: AbortSignal | undefined } = {}) {
    const file = await this.#find(program);
    if (file === undefined) {
      const advice = `install it where PATH leads (${this.#options.path}), or let the application be rendered without it`;
      throw new RenderError(`the program ${program} is not on PATH; ${advice}`, { code: 'program_missing' });
    }
    const helm = program === 'kustomize' ? await this.#find('helm') : undefined;
    const withHelm = helm === undefined ? [] : ['--enable-helm', `--helm-command=${helm}`];
    const folder = await mkdtemp(join(this.#options.dir, 'fairlead-program-'));
    try {
      await fill(folder, files);
      return await this.#exec(file, [...args, ...withHelm], { folder, program, signal });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #exec(
    file: string,
    args: readonly string[],
    { folder, program, signal }: { folder: string; program: ProgramName; signal: AbortSignal | undefined },
  ): Promise<string> {
    const { deadlineMs, maxOutputBytes } = this.#options;
    const asNobody = isRoot() ? { uid: nobody, gid: nobody } : {};
    const running = exec(file, args, {
      cwd: join(folder, 'files'),
      env: this.#environment(join(folder, 'home')),
      signal,
      timeoutMs: deadlineMs,
      maxOutputBytes,
      processGroup: true,
      ...asNobody,
    });
    try {
      return (await running).stdout.toString('utf8');
    } catch (error) {
      if (!(error instanceof ExecError)) throw error;
      throw new RenderError(failureText(error, { program, file, folder }), { cause: error, code: 'program_failed' });
    }
  }

  #environment(home: string): Record<string, string> {
    const { network, path } = this.#options;
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
    return {
      PATH: network ? path : '',
      HOME: home,
      TMPDIR: home,
      HELM_CACHE_HOME: join(home, 'helm-cache'),
      HELM_CONFIG_HOME: join(home, 'helm-config'),
      HELM_DATA_HOME: join(home, 'helm-data'),
      ...(network ? {} : Object.fromEntries(proxies.map((name) => [name, closedProxy]))),
    };
  }

  async #find(program: ProgramName): Promise<string | undefined> {
    for (const folder of this.#options.path.split(delimiter)) {
      if (!isAbsolute(folder)) continue;
      const file = join(folder, program);
      if (await isProgram(file)) return file;
    }
    return undefined;
  }
}

const isRoot = (): boolean => process.getuid?.() === 0;

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false; // not there, or not for us: the next folder of PATH is looked at
  }
}

/** `files/` holds what the program reads, `home/` what it may write. */
async function fill(folder: string, files: ProgramCall['files']): Promise<void> {
  const [root, home] = [join(folder, 'files'), join(folder, 'home')];
  for (const made of [root, home]) await mkdir(made);
  const made = new Set<string>();
  for (const { path, content } of files) {
    const file = join(root, cleanPath(path));
    if (!made.has(dirname(file))) await mkdir(dirname(file), { recursive: true });
    made.add(dirname(file));
    await writeFile(file, content, { flag: 'wx' });
  }
  // The folder is closed to others; whoever runs the program must get in.
  if (isRoot()) for (const owned of [folder, home, root]) await chown(owned, nobody, nobody);
}

function failureText(
  error: ExecError,
  { program, file, folder }: { program: ProgramName; file: string; folder: string },
): string {
  const said = error.stderr
    .replaceAll(`${join(folder, 'files')}/`, '')
    .replaceAll(folder, '.')
    .trim();
  if (said !== '') return `${program}: ${said.slice(0, maxMessage)}`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `${program} (${file}): ${error.message}${code}`;
}
