// What commands read: a file that was named, or standard input for `-`. A file that cannot be read is a wrong argument, said
// in words and with the exit code of one.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { FairleadError } from '@fairlead/base';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder; name a file in it',
};

/** The text of a file that was named on the command line; `-` is standard input. */
export async function readInput(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException; // node:fs throws nothing else
    throw new FairleadError('bad_usage', `${file}: cannot be read: ${words[code] ?? message}`);
  }
}
