// Questions to a person at a terminal. Commands ask only where there is one; elsewhere flags and stdin speak.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { FairleadError } from '@fairlead/base';

/** Without showing what is typed. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/** Only `y` and `yes` are a yes. */
export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

/** For what cannot be taken back: the name must be typed. Off a terminal only a flag confirms. */
export async function confirmName(consequence: string, name: string): Promise<void> {
  if (!process.stdin.isTTY) throw new FairleadError('not_confirmed', `${consequence} Say --yes to confirm.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = (await lines.question(`${consequence}\nType ${name} to confirm: `)).trim();
    if (typed !== name) throw new FairleadError('not_confirmed', 'that is not its name; nothing was changed');
  } finally {
    lines.close();
  }
}
