// The home folder of a laptop installation: the only place it writes to (PostgreSQL aside when started by root).
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorMessage, FairleadError, randomToken, sha256Hex } from '@fairlead/base';

export interface Endpoints {
  readonly platform: string;
  readonly cluster: string;
  readonly engine: string;
  readonly git: string;
  readonly appProxy: string;
}

export interface Home {
  readonly dir: string;
  readonly dataDir: string;
  readonly logsDir: string;
  readonly apiKeyFile: string;
  readonly kubeconfigFile: string;
  readonly endpointsFile: string;
  readonly pidFile: string;
  readonly portsFile: string;
}

export function homeAt(dir: string): Home {
  const root = resolve(dir);
  return {
    dir: root,
    dataDir: join(root, 'data'),
    logsDir: join(root, 'logs'),
    apiKeyFile: join(root, 'api-key'),
    kubeconfigFile: join(root, 'kubeconfig'),
    endpointsFile: join(root, 'endpoints.json'),
    pidFile: join(root, 'data', 'up.json'),
    portsFile: join(root, 'data', 'ports.json'),
  };
}

/** `--home`, then `FAIRLEAD_HOME`, then `~/.fairlead`. */
export function findHome(flag: string | undefined, env: Readonly<Record<string, string | undefined>>): Home {
  return homeAt(flag ?? env['FAIRLEAD_HOME'] ?? join(homedir(), '.fairlead'));
}

const asRoot = () => process.getuid?.() === 0;

/** As root the database lives outside the home, where an unprivileged user can reach it whatever the home's mode is. */
export function databaseDirOf({ dir, dataDir }: Pick<Home, 'dir' | 'dataDir'>): string {
  return asRoot() ? join('/var/lib/fairlead', sha256Hex(dir).slice(0, 16)) : dataDir;
}

/** Makes the folders and the API key; says clearly when the folder cannot be written. */
export function prepareHome(home: Home): void {
  try {
    for (const dir of [home.dir, home.dataDir, home.logsDir]) mkdirSync(dir, { recursive: true, mode: 0o700 });
    if (!existsSync(home.apiKeyFile)) writePrivate(home.apiKeyFile, `fl_${randomToken(24)}\n`);
    chmodSync(home.apiKeyFile, 0o600);
  } catch (cause) {
    throw new FairleadError(
      'home_not_writable',
      `the home folder ${home.dir} cannot be written; choose another with --home DIR`,
      { cause },
    );
  }
}

export function readApiKey(home: Home): string {
  try {
    return readFileSync(home.apiKeyFile, 'utf8').trim();
  } catch {
    throw new FairleadError(
      'no_home',
      `no API key in ${home.dir}; start Fairlead there first (fairlead up), or say where it lives with --home`,
    );
  }
}

export function readEndpoints(home: Home): Endpoints {
  try {
    return JSON.parse(readFileSync(home.endpointsFile, 'utf8')) as Endpoints; // written only by writeJson below
  } catch {
    throw new FairleadError(
      'not_running',
      `Fairlead was not started in ${home.dir} yet; run fairlead up, or say where it lives with --home`,
    );
  }
}

export function writeJson(file: string, value: unknown): void {
  writePrivate(file, `${JSON.stringify(value, null, 2)}\n`);
}

export function readJson<T>(file: string): T | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T; // our own file; a damaged one is reported, not guessed
  } catch (cause) {
    throw new FairleadError('bad_home', `${file} is damaged (${errorMessage(cause)}); remove it and start again`, {
      cause,
    });
  }
}

/** For the owner's eyes; whole or not at all: written beside and renamed. */
export function writePrivate(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
