import type { ApplicationRow, RuntimeRow } from '@fairlead/contracts';
import { ageOf } from '../words/index.ts';
import { safetyNetMs } from './queries.ts';

/** A minute of silence (the contract's bound), and as long as this page may take to hear of a sign of life. */
const staleAfterMs = 60_000 + safetyNetMs;

/** When its tunnel is down too, a runtime that still reports does so within this time. */
const staleOfflineMs = 15_000;

/** For how long (ms) the row may have been wrong; undefined when it is fresh. */
export function staleForMs(row: ApplicationRow, runtime: RuntimeRow | undefined, nowMs: number): number | undefined {
  const ages = [row.lastHeardAt, runtime?.lastHeardAt].map((at) => ageOf(at, nowMs)).filter((age) => age !== undefined);
  const age = Math.min(...ages);
  if (!Number.isFinite(age)) return undefined;
  return age > (runtime?.status === 'offline' ? staleOfflineMs : staleAfterMs) ? age : undefined;
}
