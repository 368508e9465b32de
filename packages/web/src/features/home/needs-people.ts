import type { ApplicationRow } from '@fairlead/contracts';
import { ageOf } from '../../words/index.ts';

/** Longer on the way than this is held up by something. */
const heldUpMs = 60_000;

export const isHeldUp = ({ health, note, changedAt }: ApplicationRow, nowMs: number): boolean =>
  health.status === 'Progressing' &&
  note !== '' &&
  (ageOf(health.lastTransitionTime ?? changedAt, nowMs) ?? 0) > heldUpMs;

/** Also what waits and waits: a rollout that cannot end looks like progress. */
export const needsPeople = (row: ApplicationRow, nowMs: number): boolean =>
  row.health.status === 'Degraded' ||
  row.health.status === 'Missing' ||
  row.sync.status === 'OutOfSync' ||
  isHeldUp(row, nowMs);
