// Questions to a person at a terminal. Commands ask only where there is one; elsewhere flags and stdin speak.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

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
