// A log file as it grows: its last lines, and those that come. Reads from the end, so that a large file costs no more than a
// small one; holds one block at a time. A file that was cut or replaced is read from its beginning.
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, sleep } from '@fairlead/base';

interface ReadOptions {
  /** The last so many lines. */
  readonly tail: number;
  /** Go on with what comes, until the signal. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const blockBytes = 64 * 1024;
/** Looked back for the last lines; beyond it there are fewer of them. */
const maxTailBytes = 4 * 1024 * 1024;
/** Longer lines are cut. */
const maxLineLength = 64 * 1024;
const lookEveryMs = 250;

/** Rejects with ENOENT when there is no such file. */
export async function* linesOf(path: string, options: ReadOptions): AsyncGenerator<string, void, undefined> {
  const { tail, follow, signal, clock } = options;
  const file = await open(path, 'r');
  let at: number;
  let rest = '';
  try {
    const { size } = await file.stat();
    const { lines, end } = await lastLines(file, { size, tail });
    yield* lines;
    at = end;
  } finally {
    await file.close();
  }
  while (follow && !signal.aborted) {
    const grown = await grownSince(path, at);
    at = grown.at;
    const whole = (rest + grown.text).split('\n');
    rest = (whole.pop() ?? '').slice(0, maxLineLength);
    yield* whole.filter((line) => line !== '').map((line) => line.slice(0, maxLineLength));
    if (grown.text === '') await sleep(lookEveryMs, { signal, clock }).catch(() => undefined); // the loop sees the abort
  }
}

/** `end`: behind the last whole line; one that is being written comes with what follows. */
async function lastLines(
  file: FileHandle,
  { size, tail }: { readonly size: number; readonly tail: number },
): Promise<{ lines: string[]; end: number }> {
  let text = Buffer.alloc(0);
  let from = size;
  while (from > 0 && size - from < maxTailBytes && newlinesIn(text) <= tail) {
    const length = Math.min(blockBytes, from);
    const block = Buffer.alloc(length);
    await file.read(block, 0, length, from - length);
    text = Buffer.concat([block, text]);
    from -= length;
  }
  const end = text.lastIndexOf('\n') + 1;
  const lines = text.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
  const whole = from > 0 ? lines.slice(1) : lines; // the first one began before what was read
  return { lines: whole.slice(-tail).map((line) => line.slice(0, maxLineLength)), end: from + end };
}

function newlinesIn(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) count++;
  return count;
}

async function grownSince(path: string, at: number): Promise<{ text: string; at: number }> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { text: '', at: 0 }; // it is being replaced
    throw error;
  }
  try {
    const { size } = await file.stat();
    const from = size < at ? 0 : at;
    const block = Buffer.alloc(Math.min(blockBytes, size - from));
    const { bytesRead } = await file.read(block, 0, block.length, from);
    // A character that is cut in two is left for the next look.
    const whole = bytesRead === blockBytes ? block.lastIndexOf('\n', bytesRead - 1) + 1 || bytesRead : bytesRead;
    return { text: block.subarray(0, whole).toString('utf8'), at: from + whole };
  } finally {
    await file.close();
  }
}
