// What commands are given: a file that was named (`-` is standard input), YAML in it, a number, a word of a few. What is wrong is
// told by the flag, the cause and what to write instead, with the exit code of wrong input; never with a piece of the file,
// which may hold a secret.
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { FairleadError } from '@fairlead/base';
import { loadAll, YAMLException } from 'js-yaml';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder; name a file in it',
};

/** The text of a file that was named on the command line; `-` is standard input. */
export async function readInput(file: string, flag = '--file'): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException; // node:fs throws nothing else
    throw new FairleadError(
      'bad_usage',
      `${flag} ${file}: cannot be read: ${words[code] ?? message}; give one that is there`,
    );
  }
}

/** The documents of YAML or JSON text; a fault is told by file and line. */
export function yamlIn(content: string, file: string, flag = '--file'): unknown[] {
  try {
    return loadAll(content);
  } catch (error) {
    const { reason = 'cannot be read', mark } = error instanceof YAMLException ? error : {};
    const line = mark ? `:${mark.line + 1}` : '';
    throw new FairleadError('bad_input', `${flag} ${file}${line}: is not valid YAML: ${reason}; correct it there`);
  }
}

export async function writeOutput(file: string, content: string, flag: string): Promise<void> {
  try {
    await writeFile(file, content, { mode: 0o600 });
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException; // node:fs throws nothing else
    const reason = code === 'ENOENT' ? 'there is no such folder' : code === 'EISDIR' ? 'it is a folder' : message;
    throw new FairleadError('bad_usage', `${flag} ${file}: cannot be written: ${reason}; give another place`);
  }
}

export function wholeNumber(flag: string, given: string, most = 999_999_999): number {
  const number = /^[1-9]\d{0,8}$/.test(given) ? Number(given) : Number.NaN;
  if (number <= most) return number;
  const range = most === 999_999_999 ? 'from 1 on' : `from 1 to ${most}`;
  throw new FairleadError('bad_usage', `${flag} ${given}: must be a whole number ${range}`);
}

export function oneOf<T extends string>(flag: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === given);
  if (found !== undefined) return found;
  throw new FairleadError('bad_usage', `${flag} ${given}: must be one of ${allowed.join(', ')}`);
}

/** A `--base`, as `git rev-parse` prints it. */
export function assertCommit(flag: string, given: string | undefined): void {
  if (given === undefined || /^[0-9a-f]{40}$/.test(given)) return;
  throw new FairleadError(
    'bad_usage',
    `${flag} ${given}: must be a whole commit id (40 digits), as git rev-parse prints it`,
  );
}
