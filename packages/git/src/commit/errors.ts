import { RetryableError, TerminalError } from '@fairlead/base';

/** One file that somebody else changed meanwhile. Contents are absent where the file is, and when they are too large. */
export interface PathConflict {
  readonly path: string;
  /** What the change was made against. */
  readonly base?: Buffer;
  /** What the branch holds now. */
  readonly theirs?: Buffer;
  /** What was to be written; absent when the file was to be removed. */
  readonly ours?: Buffer;
}

export class ConflictError extends TerminalError {
  readonly branch: string;
  /** The commit the branch points at now. */
  readonly head: string;
  readonly conflicts: readonly PathConflict[];

  constructor(where: { url: string; branch: string; head: string }, conflicts: readonly PathConflict[]) {
    const paths = conflicts.map(({ path }) => path);
    const shown = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
    const place = `branch ${where.branch} of ${where.url}`;
    super('git_conflict', `${shown} changed meanwhile on ${place}; look at the newer version and decide again`, {
      details: { branch: where.branch, head: where.head, paths },
    });
    this.branch = where.branch;
    this.head = where.head;
    this.conflicts = conflicts;
  }
}

/** The change itself cannot be made, whatever the branch holds later. */
export class InvalidChangeError extends TerminalError {
  constructor(reason: string) {
    super('git_invalid_change', `this commit cannot be made: ${reason}`);
  }
}

/** Others pushed to the branch at every attempt; nothing was written. */
export class BranchBusyError extends RetryableError {
  constructor(url: string, branch: string, attempts: number) {
    super('git_branch_busy', `branch ${branch} of ${url} moved during each of ${attempts} attempts to push; try again`);
  }
}
