// How long what a Git server said of a user's rights may be relied on. Pure.
// A yes holds for 5 minutes, a no for 1. While the server gives no answer, who could read last may read on until 15 minutes
// after that was said; nobody writes.
import type { RepositoryRight } from '@fairlead/git';

export type WantedRight = 'read' | 'write';

export interface GitVerdict {
  readonly right: RepositoryRight;
  /** When the server was asked, monotonic. */
  readonly askedMs: number;
}

const yesMs = 5 * 60_000;
const noMs = 60_000;
const readOnMs = 15 * 60_000;

export const grants = (right: RepositoryRight, wanted: WantedRight): boolean =>
  right === 'write' || (right === 'read' && wanted === 'read');

/** Undefined: the server has to be asked. */
export function knownAnswer(verdict: GitVerdict | undefined, wanted: WantedRight, nowMs: number): boolean | undefined {
  if (!verdict) return undefined;
  const isGranted = grants(verdict.right, wanted);
  return nowMs - verdict.askedMs < (isGranted ? yesMs : noMs) ? isGranted : undefined;
}

/** The server was asked, and gave no answer. */
export const answerWithoutServer = (verdict: GitVerdict | undefined, wanted: WantedRight, nowMs: number): boolean =>
  wanted === 'read' && verdict !== undefined && grants(verdict.right, 'read') && nowMs - verdict.askedMs < readOnMs;
