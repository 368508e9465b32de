// How often repositories are asked for news: `timeout.reconciliation`, `timeout.reconciliation.jitter` and
// `timeout.hard.reconciliation` of `argocd-cm`, and what holds where they say nothing. Pure.
import { durationMs } from '../project/index.ts';

/** What people set; 0: never. */
export interface Timeouts {
  readonly pollMs?: number | undefined;
  readonly jitterMs?: number | undefined;
  readonly hardMs?: number | undefined;
}

export interface PollTimes {
  /** Infinity: never. */
  readonly everyMs: number;
  /** At most this much is added, at random, so that not all ask at once. */
  readonly jitterMs: number;
  /** Everything is rendered anew, past every cache. Infinity: never. */
  readonly hardEveryMs: number;
}

const dayMs = 86_400_000;
/** A period below it would keep the engine busy with nothing else; Argo CD takes such ones for 0. */
const shortestMs = 1000;

/** Go's durations and, as Argo CD reads them, whole days (`1d`). Throws when it is none. */
export function parsePeriod(text: string): number {
  const days = /^(\d+)d$/.exec(text.trim())?.[1];
  const isBare = /^\d+$/.test(text.trim()) && Number(text) !== 0;
  const ms = days ? Number(days) * dayMs : isBare ? undefined : durationMs(text.trim());
  if (ms === undefined || (ms > 0 && ms < shortestMs))
    throw new Error(
      `${JSON.stringify(text)} is no period; allowed: 0, or a duration of 1s or more, e.g. 180s, 3m, 1h30m`,
    );
  return ms;
}

/** Where `argocd-cm` names no jitter it is half of `defaultMs`, which is Argo CD's minute when nothing else was set. */
export function pollTimes({ pollMs, jitterMs, hardMs = 0 }: Timeouts, defaultMs: number): PollTimes {
  const orNever = (ms: number) => (ms > 0 ? ms : Number.POSITIVE_INFINITY);
  return { everyMs: orNever(pollMs ?? defaultMs), jitterMs: jitterMs ?? defaultMs / 2, hardEveryMs: orNever(hardMs) };
}
