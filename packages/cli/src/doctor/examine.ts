// What can be wrong with a machine or a home, each as one question with one answer. Nothing here changes anything.
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage, exec } from '@fairlead/base';
import { postgresBinaries } from '@fairlead/platform/embedded-postgres';
import { databaseDirOf, type Home, readEndpoints, runningUp } from '../home/index.ts';
import { checkMachine, freeMiBOf } from '../laptop/index.ts';

export interface Finding {
  readonly name: string;
  readonly isWell: boolean;
  /** What was found; when it is not well, what to do. */
  readonly words: string;
}

/** Below this a database or a cluster log may stop in the middle of a write. */
const leastFreeMiB = 500;

type Question = (home: Home) => Promise<string> | string;

/** Each gives what it found, or throws what to do. */
const questions: Readonly<Record<string, Question>> = {
  Node: () => `${process.version}, needs 20.19 or newer`,
  git: async () => {
    await checkMachine(AbortSignal.timeout(10_000));
    return (await exec('git', ['--version'])).stdout.toString().trim();
  },
  PostgreSQL: (home) => {
    const { postgres } = postgresBinaries({ copyDir: home.dataDir, mustCopy: false });
    accessSync(postgres, constants.X_OK);
    return 'binaries are there';
  },
  'home folder': (home) => {
    const place = nearestExisting(home.dir);
    accessSync(place, constants.W_OK | constants.X_OK);
    return place === home.dir ? `${home.dir} can be written` : `${home.dir} can be made`;
  },
  'disk space': (home) => {
    const places = [home.dir, databaseDirOf(home)].map((dir) => ({ dir, freeMiB: freeMiBOf(dir) }));
    const least = places.reduce((a, b) => (b.freeMiB < a.freeMiB ? b : a));
    if (least.freeMiB >= leastFreeMiB) return `${least.freeMiB} MiB free`;
    throw new Error(`only ${least.freeMiB} MiB free for ${least.dir}; make room for at least ${leastFreeMiB} MiB`);
  },
  'API key': (home) => {
    if (!existsSync(home.apiKeyFile)) return 'made at the first start';
    const mode = statSync(home.apiKeyFile).mode & 0o777;
    if (mode & 0o077) throw new Error(`others can read ${home.apiKeyFile}; run chmod 600 on it`);
    if (readFileSync(home.apiKeyFile, 'utf8').trim().length < 20)
      throw new Error(`${home.apiKeyFile} is damaged; remove it`);
    return 'is private';
  },
  running: (home) => {
    const running = runningUp(home);
    return running ? `pid ${running.pid} at ${running.url}` : 'not running; start with fairlead up';
  },
  platform: (home) => answers(home, 'platform', '/readyz'),
  engine: (home) => answers(home, 'engine', '/healthz'),
  'git server': (home) => answers(home, 'git', '/healthz'),
  'app-proxy': (home) => answers(home, 'appProxy', '/readyz'),
};

export async function examine(home: Home): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, ask] of Object.entries(questions)) {
    try {
      findings.push({ name, isWell: true, words: await ask(home) });
    } catch (error) {
      findings.push({ name, isWell: false, words: errorMessage(error) });
    }
  }
  return findings;
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** Only a home that runs must answer. */
async function answers(home: Home, role: 'platform' | 'engine' | 'git' | 'appProxy', path: string): Promise<string> {
  if (!runningUp(home)) return 'not running';
  const url = readEndpoints(home)[role];
  const answer = await fetch(url + path, { signal: AbortSignal.timeout(5_000) }).catch((cause: unknown) => {
    throw new Error(`${url} does not answer (${errorMessage(cause)}); see ${home.logsDir}`);
  });
  if (!answer.ok)
    throw new Error(`${url} answers ${answer.status}: ${(await answer.text()).slice(0, 200)}; see ${home.logsDir}`);
  return `answers at ${url}`;
}
