// The append-only log: records wait in memory while the disk is busy and go out together with one fsync (group commit).
// Promises: a resolved `append` is on disk (with fsync on), in order. What a full disk refused is refused in reverse
// order, so that callers can undo, and leaves no trace in the file; any other failure of the disk stops everything.
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageFailedError } from './errors.ts';
import { syncFolder } from './files.ts';

interface Pending {
  readonly record: Buffer;
  readonly onDurable: () => void;
  readonly onFailed: (error: StorageFailedError) => void;
}

/** How bytes get to the end of a file; given, so that a test can have a disk without room. */
export type Appender = (handle: FileHandle, bytes: Buffer) => Promise<void>;
const appendToFile: Appender = (handle, bytes) => handle.appendFile(bytes);

interface LogOptions {
  readonly sizeBytes: number;
  readonly fsync: boolean;
  readonly appender?: Appender | undefined;
}

export class LogFile {
  readonly #fsync: boolean;
  readonly #appender: Appender;
  #handle: FileHandle;
  #sizeBytes: number;
  #pending: Pending[] = [];
  #flushing: Promise<void> | undefined;
  #failure: StorageFailedError | undefined;
  #betweenWrites: (() => void) | undefined;

  private constructor(handle: FileHandle, { sizeBytes, fsync, appender = appendToFile }: LogOptions) {
    this.#handle = handle;
    this.#sizeBytes = sizeBytes;
    this.#fsync = fsync;
    this.#appender = appender;
  }

  /** Opens for appending at `sizeBytes`, cutting off what lies beyond. */
  static async open(path: string, options: LogOptions): Promise<LogFile> {
    const handle = await open(path, 'a');
    await handle.truncate(options.sizeBytes);
    return new LogFile(handle, options);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Why nothing more is accepted, once the disk has failed. */
  get failure(): StorageFailedError | undefined {
    return this.#failure;
  }

  /** Callbacks rather than a promise per record: they run in order, before any other code of the process. */
  append(record: Buffer, onDurable: () => void, onFailed: (error: StorageFailedError) => void): void {
    if (this.#failure) {
      onFailed(this.#failure);
      return;
    }
    this.#pending.push({ record, onDurable, onFailed });
    this.#flushing ??= this.#flush();
  }

  /** Goes on in a new file. `onSwitch` runs between two writes: all records before it are in the old file or will be
   * in the new one, none in both, and what is in memory at that moment covers at least the old file. */
  async rotate(path: string, onSwitch: () => void): Promise<void> {
    const next = await open(path, 'a');
    await syncFolder(dirname(path));
    const old = await new Promise<FileHandle>((resolve) => {
      const change = () => {
        const before = this.#handle;
        this.#handle = next;
        this.#sizeBytes = 0;
        onSwitch();
        resolve(before);
      };
      if (this.#flushing) this.#betweenWrites = change;
      else change();
    });
    await old.sync();
    await old.close();
  }

  async drain(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  async close(): Promise<void> {
    await this.drain();
    await this.#handle.close();
  }

  async #flush(): Promise<void> {
    // One turn of the event loop, so that requests that came in together share the first fsync too.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      try {
        await this.#write(batch);
      } catch (cause) {
        await this.#refuse(batch, new StorageFailedError(cause));
        continue;
      }
      for (const { onDurable } of batch) onDurable();
      this.#switchIfWanted();
    }
    this.#switchIfWanted();
    this.#flushing = undefined;
  }

  #switchIfWanted(): void {
    this.#betweenWrites?.();
    this.#betweenWrites = undefined;
  }

  /** What waits was built on what is refused, and goes with it; what comes later was not. */
  async #refuse(batch: readonly Pending[], error: StorageFailedError): Promise<void> {
    const refused = [...batch, ...this.#pending].reverse();
    this.#pending = [];
    if (!error.isFull) this.#failure = error;
    for (const { onFailed } of refused) onFailed(error);
    if (this.#failure) return;
    try {
      await this.#handle.truncate(this.#sizeBytes);
    } catch (cause) {
      this.#failure = new StorageFailedError(cause);
      for (const { onFailed } of this.#pending.splice(0).reverse()) onFailed(this.#failure);
    }
  }

  async #write(batch: readonly Pending[]): Promise<void> {
    const bytes = batch.length === 1 ? batch[0]?.record : Buffer.concat(batch.map(({ record }) => record));
    if (!bytes) return;
    await this.#appender(this.#handle, bytes);
    if (this.#fsync) await this.#handle.datasync();
    this.#sizeBytes += bytes.length;
  }
}
