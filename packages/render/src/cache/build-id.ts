// What this renderer is made of: the hash of its own code. Renders of another build are never taken for this one's.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let known: Promise<string> | undefined;

export function buildId(): Promise<string> {
  known ??= hashOf(codeFolder(dirname(fileURLToPath(import.meta.url))));
  return known;
}

/** Bundled, all code stands in one folder without rooms. */
const codeFolder = (here: string) => (basename(here) === 'cache' ? dirname(here) : here);

async function hashOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  const files = await readdir(root, { recursive: true });
  for (const file of files.filter((name) => /(?<!\.test|\.d)\.[jt]s$/.test(name)).sort()) {
    hash.update(`${file}\n`).update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}
