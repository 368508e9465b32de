// Whether the database is there, by what the probes found. A refusal counts at once; silence counts when it comes twice
// in a row, because one late answer is what a busy machine gives, or one that just slept.
import type { Clock } from '@fairlead/base';

export type ProbeOutcome = 'answered' | 'refused' | 'silent';

export interface DatabaseHealth {
  readonly isUp: boolean;
  readonly wasSilent: boolean;
}

export const healthy: DatabaseHealth = { isUp: true, wasSilent: false };

export function healthAfter(before: DatabaseHealth, outcome: ProbeOutcome): DatabaseHealth {
  if (outcome === 'answered') return healthy;
  const wasSilent = outcome === 'silent';
  return { isUp: wasSilent && !before.wasSilent && before.isUp, wasSilent };
}

/** What became of the question within the time; never rejects. */
export function outcomeWithin(ms: number, clock: Clock, question: Promise<unknown>): Promise<ProbeOutcome> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve('silent'));
    const settle = (outcome: ProbeOutcome) => () => {
      cancel();
      resolve(outcome);
    };
    question.then(settle('answered'), settle('refused'));
  });
}
