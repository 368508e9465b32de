// kubectl is looked for where people have it.
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
