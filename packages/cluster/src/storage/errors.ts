import { FairleadError } from '@fairlead/base';

/** A file of the store is damaged elsewhere than in the tail that a crash may tear. Needs a person. */
export class StorageCorruptError extends FairleadError {
  constructor(file: string, offset: number) {
    super('storage_corrupt', `${file} is damaged at byte ${offset}`, { details: { file, offset } });
  }
}

/** The disk refused a write. After that nothing more is accepted: what is on disk is no longer known. */
export class StorageFailedError extends FairleadError {
  constructor(cause: unknown) {
    super('storage_failed', 'the store cannot write to its disk', { cause });
  }
}
