// How long the platform relies on what a runtime said of a user's rights on a repository. Pure. Times are monotonic.
// A yes holds for 5 minutes from when the Git server was asked, a no for 1. While neither the server nor the runtime gives an
// answer, who could read last sees on until 15 minutes after that was said. What was never answered is a no.

export interface KnownRight {
  readonly verdict?: { readonly read: boolean; readonly askedMs: number } | undefined;
  /** When it was asked for last, and when that last stayed without an answer. */
  readonly triedMs?: number | undefined;
  readonly silentMs?: number | undefined;
}

const yesMs = 5 * 60_000;
const noMs = 60_000;
const readOnMs = 15 * 60_000;
/** A yes is asked for again before it ends, so that nothing vanishes for a moment from who looks on. */
const renewMs = 4 * 60_000;
/** That nobody answers has to be found anew this often. */
const silenceMs = 60_000;
/** Nobody is asked the same sooner. */
const pauseMs = 10_000;

/** What a runtime may answer from its memory, when it is asked to renew a yes. */
export const renewedWithinMs = 3 * 60_000;

export function mayRead({ verdict, silentMs }: KnownRight, nowMs: number): boolean {
  if (!verdict?.read) return false;
  const ageMs = nowMs - verdict.askedMs;
  if (ageMs < yesMs) return true;
  return ageMs < readOnMs && silentMs !== undefined && silentMs > verdict.askedMs && nowMs - silentMs < silenceMs;
}

/** It should be asked for now. */
export function isDue({ verdict, triedMs }: KnownRight, nowMs: number): boolean {
  if (triedMs !== undefined && nowMs - triedMs < pauseMs) return false;
  return !verdict || nowMs - verdict.askedMs >= (verdict.read ? renewMs : noMs);
}

/** Nothing that may be relied on is known: an answer may well be a yes. */
export const isOpen = (known: KnownRight, nowMs: number): boolean =>
  !mayRead(known, nowMs) && (known.verdict === undefined || known.verdict.read);
