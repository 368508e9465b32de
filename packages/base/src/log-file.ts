// A log on disk that cannot fill it: at its bound the file becomes FILE.1, in the place of the one before it.
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, systemClock } from './clock.ts';

const defaultMaxBytes = 16 * 1024 * 1024;

interface LogFileOptions {
  readonly maxBytes?: number;
  readonly clock?: Clock;
}

/** For appending, by us or by a program that is started with it. A file at its bound is put aside first. */
export function openLogFile(path: string, maxBytes = defaultMaxBytes): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size >= maxBytes) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

export class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #clock: Clock;
  #file: { readonly descriptor: number; size: number } | undefined;
  #lost = 0;

  constructor(path: string, { maxBytes = defaultMaxBytes, clock = systemClock }: LogFileOptions = {}) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#clock = clock;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = this.#open();
  }

  /** Never throws: whoever cannot write a log goes on with the work. */
  write(line: string): void {
    try {
      if (this.#file && this.#file.size >= this.#maxBytes) this.#close();
      this.#file ??= this.#open();
      if (this.#lost > 0) this.#tellLoss();
      this.#append(line);
    } catch {
      this.#lost += 1; // told with the next line that fits
      this.#close(); // the disk may be another one by then
    }
  }

  #open(): { descriptor: number; size: number } {
    const descriptor = openLogFile(this.#path, this.#maxBytes);
    return { descriptor, size: fstatSync(descriptor).size };
  }

  #close(): void {
    if (this.#file) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }

  /** On a line of its own: what was written last may have been cut short. */
  #tellLoss(): void {
    const told = { level: 'warn', time: new Date(this.#clock.now()).toISOString(), lost: this.#lost };
    this.#append(`\n${JSON.stringify({ ...told, msg: 'lines of this log were lost: the disk did not take them' })}\n`);
    this.#lost = 0;
  }

  #append(text: string): void {
    if (!this.#file) return;
    const written = writeSync(this.#file.descriptor, text);
    this.#file.size += written;
    if (written < Buffer.byteLength(text)) throw new Error('the disk took only a part of the line');
  }
}
