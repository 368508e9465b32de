import { FairleadError } from '@fairlead/base';

/** A file of the store is damaged elsewhere than in the tail that a crash may tear. Needs a person. */
export class StorageCorruptError extends FairleadError {
  constructor(file: string, offset: number) {
    super('storage_corrupt', `${file} is damaged at byte ${offset}`, { details: { file, offset } });
  }
}

/**
 * The disk refused a write, which has not happened. A full disk takes writes again once there is room; after any other
 * refusal nothing more is accepted, since what is on disk is no longer known.
 */
export class StorageFailedError extends FairleadError {
  /** Whether room on the disk is all that is missing. */
  readonly isFull: boolean;

  constructor(cause: unknown) {
    const isFull = isFullDisk(cause);
    super('storage_failed', isFull ? fullText : 'the store cannot write to its disk', { cause });
    this.isFull = isFull;
  }
}

const fullText = 'the disk of the cluster is full; nothing was written; make room and try again';

function isFullDisk(cause: unknown): boolean {
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
