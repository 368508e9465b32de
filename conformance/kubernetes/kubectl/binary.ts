// kubectl is looked for where people have it.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** `KUBECTL`, else the one on PATH; undefined when there is none. */
export function findKubectl(): string | undefined {
  const { KUBECTL: given, PATH = '' } = process.env;
  const candidates = given ? [given] : PATH.split(delimiter).map((folder) => join(folder, 'kubectl'));
  return candidates.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What kubectl prints changes from one minor version to the next; the recordings are of this one. */
export const recordedMinor = '1.35';

/** The minor version of a kubectl, e.g. `1.35`; empty when it does not tell. */
export function minorOf(kubectl: string): string {
  const { stdout } = spawnSync(kubectl, ['version', '--client', '-o', 'json'], { encoding: 'utf8', timeout: 20_000 });
  return /"gitVersion":\s*"v(\d+\.\d+)\./.exec(stdout ?? '')?.[1] ?? '';
}
