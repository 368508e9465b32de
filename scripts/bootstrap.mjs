// What a fresh clone needs before anything of ours can run: dependencies and a build. Plain Node, no dependencies.
// Each part leaves a stamp of what it was made from, so that the next run does nothing when nothing changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Fairlead needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  );
  process.exit(1);
}

export async function install() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  await once('node_modules/.fairlead-install', hash(process.version, process.platform, process.arch, lock), () =>
    step('install dependencies', npmCommand(), [
      'ci',
      '--ignore-scripts',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
    ]),
  );
}

export async function build() {
  const sources = ['packages', 'scripts/bundle-program.mjs', 'tsconfig.packages.json', 'tsconfig.base.json'].flatMap(
    (path) => sourceFiles(join(root, path)),
  );
  const stamp = hash(...sources.sort().flatMap((file) => [file.slice(root.length), readFileSync(file)]));
  await once('node_modules/.fairlead-build', stamp, async () => {
    await step('compile', process.execPath, [bin('typescript', 'tsc'), '-b', 'tsconfig.packages.json']);
    await Promise.all([
      step('bundle the program', process.execPath, ['scripts/bundle-program.mjs']),
      step('build the UI', process.execPath, [bin('vite', 'vite'), 'build', '--logLevel', 'warn'], {
        cwd: join(root, 'packages/web'),
      }),
    ]);
  });
}

/** The script behind `node_modules/.bin/NAME`, so that no shell and no PATH is needed. */
export function bin(packageName, name) {
  const manifest = JSON.parse(readFileSync(join(root, 'node_modules', packageName, 'package.json'), 'utf8'));
  const path = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[name];
  return join(root, 'node_modules', packageName, path);
}

/** Runs a program with its output shown; rejects with one line when it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args[0] ?? ''} ended with ${signal ?? code}`)),
    );
  });
}

/**
 * An environment whose temporary folder is this run's own and goes with it, however it ends: a test that was killed
 * leaves nothing behind. Others may enter it, because PostgreSQL does not run as root.
 */
export function ownTemporaryFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-run-'));
  chmodSync(dir, 0o755);
  process.once('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  return { ...process.env, TMPDIR: dir };
}

async function step(title, command, args, options = {}) {
  const startedMs = performance.now();
  console.info(`  … ${title}`);
  const full = [...npmPrefix(command), ...args];
  await run(full[0], full.slice(1), options);
  console.info(`  ✓ ${title} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
}

/** The npm that runs us, or the one on PATH. */
function npmCommand() {
  return process.env.npm_execpath ?? 'npm';
}
function npmPrefix(command) {
  return command.endsWith('.js') ? [process.execPath, command] : [command];
}

async function once(stampFile, stamp, work) {
  const file = join(root, stampFile);
  const isMade = () => existsSync(file) && readFileSync(file, 'utf8') === stamp;
  if (isMade()) return;
  await alone(async () => {
    if (isMade()) return; // by the one that we waited for
    await work();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, stamp);
  });
}

/** One at a time in this clone: two that install at once delete what the other has just installed. */
export async function alone(work, lock = join(root, '.fairlead-preparing')) {
  const draft = `${lock}-${process.pid}`;
  writeFileSync(draft, String(process.pid));
  let isTold = false;
  try {
    while (!linkNew(draft, lock)) {
      const pid = Number(existsSync(lock) && readFileSync(lock, 'utf8'));
      if (!isAlive(pid)) rmSync(lock, { force: true });
      else if (!isTold) console.info(`  … waiting for process ${pid}, which prepares this clone (${lock})`);
      isTold ||= isAlive(pid);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    rmSync(draft, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function linkNew(file, name) {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function sourceFiles(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(
      (entry) =>
        !['dist', 'dist-types', 'bundle', 'node_modules'].includes(entry.name) && !entry.name.includes('.test.'),
    )
    .flatMap((entry) => (entry.isDirectory() ? sourceFiles(join(path, entry.name)) : [join(path, entry.name)]));
}

function hash(...parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex');
}
