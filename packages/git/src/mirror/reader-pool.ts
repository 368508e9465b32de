// At most `maxReaders` object readers live at once. One more repository closes the reader that was idle longest; when
// none is idle, the request waits for one. A reader that dies is replaced at the next request.
import { type Clock, RetryableError } from '@fairlead/base';
import { type GitObject, ObjectReader } from './object-reader.ts';

export class ReaderPool {
  readonly #maxReaders: number;
  readonly #clock: Clock;
  readonly #readers = new Map<string, ObjectReader>();
  readonly #waitingForIdle: (() => void)[] = [];
  #stopped: boolean = false;
  started = 0;

  constructor({ maxReaders, clock }: { maxReaders: number; clock: Clock }) {
    this.#maxReaders = maxReaders;
    this.#clock = clock;
  }

  get count(): number {
    return this.#readers.size;
  }

  async read(gitDir: string, id: string, maxBytes: number): Promise<GitObject | undefined> {
    const reader = await this.#readerOf(gitDir);
    reader.lastUsed = this.#clock.monotonic();
    return reader.read(id, maxBytes);
  }

  /** Like `read`, by full ref name; names that git would not take as a plain ref find nothing. */
  async readRef(gitDir: string, ref: string, maxBytes: number): Promise<GitObject | undefined> {
    const reader = await this.#readerOf(gitDir);
    reader.lastUsed = this.#clock.monotonic();
    return reader.readRef(ref, maxBytes);
  }

  /** Ends the reader of one repository before it is removed; false when it is reading. */
  releaseIdle(gitDir: string): boolean {
    if ((this.#readers.get(gitDir)?.pending ?? 0) > 0) return false;
    this.#release(gitDir);
    return true;
  }

  #release(gitDir: string): void {
    this.#readers.get(gitDir)?.close();
    this.#readers.delete(gitDir);
  }

  stop(): void {
    this.#stopped = true;
    for (const reader of this.#readers.values()) reader.kill();
    this.#readers.clear();
    this.#wake();
  }

  async #readerOf(gitDir: string): Promise<ObjectReader> {
    for (;;) {
      if (this.#stopped)
        throw new RetryableError('git_reader_ended', 'the git processes that read objects were stopped');
      const known = this.#readers.get(gitDir);
      if (known && !known.closed) return known;
      if (this.#readers.size < this.#maxReaders) return this.#start(gitDir);
      if (!this.#closeOneIdle()) await new Promise<void>((resolve) => this.#waitingForIdle.push(resolve));
    }
  }

  #start(gitDir: string): ObjectReader {
    const reader: ObjectReader = new ObjectReader(gitDir, {
      onIdle: () => this.#wake(),
      onExit: () => {
        if (this.#readers.get(gitDir) === reader) this.#readers.delete(gitDir);
        this.#wake();
      },
    });
    this.#readers.set(gitDir, reader);
    this.started++;
    return reader;
  }

  #closeOneIdle(): boolean {
    const idle = [...this.#readers].filter(([, reader]) => reader.pending === 0);
    const oldest = idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed)[0];
    if (!oldest) return false;
    this.#release(oldest[0]);
    return true;
  }

  #wake(): void {
    for (const resume of this.#waitingForIdle.splice(0)) resume();
  }
}
