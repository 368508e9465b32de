// Which home a database belongs to. As root the database lies outside the home, so a home that was deleted by hand
// leaves its database behind, and a new home at the same path must not take it for its own: it holds another runtime,
// other keys, another past. Such a database is put aside, never deleted; one is kept.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, randomToken } from '@fairlead/base';
import { writePrivate } from '../../home/index.ts';

const passwordFile = 'postgres-password';
const ownerFile = 'home-id';

interface Places {
  /** Of the home. */
  readonly dataDir: string;
  /** Where the database lies: the same folder, unless root started it. */
  readonly databaseDir: string;
}

/** Makes sure that a database in `databaseDir`, if there is one, is this home's; gives its password. */
export function claimDatabase({ dataDir, databaseDir }: Places, log: Logger): string {
  if (databaseDir !== dataDir) putAsideStranger({ dataDir, databaseDir }, log);
  return readOrMake(join(dataDir, passwordFile), () => randomToken(24));
}

function putAsideStranger({ dataDir, databaseDir }: Places, log: Logger): void {
  // A home of an earlier version has a password and no id yet: what lies there is its own.
  const isKnownHome = existsSync(join(dataDir, passwordFile));
  const id = readOrMake(join(dataDir, ownerFile), () => randomToken(12));
  const owner = join(databaseDir, ownerFile);
  const mark = textOf(owner);
  if (mark === id) return;
  const isStranger = mark !== '' || !isKnownHome;
  const data = join(databaseDir, 'postgres');
  if (isStranger && existsSync(data)) {
    const aside = join(databaseDir, 'postgres-of-deleted-home');
    rmSync(aside, { recursive: true, force: true });
    renameSync(data, aside);
    log.warn({ aside }, 'a database of a home that was deleted lies here; it is put aside');
  }
  writePrivate(owner, id);
}

function readOrMake(file: string, make: () => string): string {
  const kept = textOf(file);
  if (kept !== '') return kept;
  const made = make();
  writePrivate(file, made);
  return made;
}

/** '' as well for one that a crash of the machine cut short. */
const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '');
