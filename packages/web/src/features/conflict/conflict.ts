import { ApiError } from '@fairlead/contracts';

export interface Conflict {
  /** The commit that holds `theirs`: the base of whatever is committed next. */
  readonly head: string;
  readonly theirs: string;
  readonly yours: string;
}

/** The two versions that a refused commit tells of; undefined for every other error. */
export function conflictOf(error: unknown): Conflict | undefined {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return undefined;
  const { head, theirs, yours } = error.body.details ?? {};
  if (typeof head !== 'string' || typeof theirs !== 'string' || typeof yours !== 'string') return undefined;
  return { head, theirs, yours };
}
