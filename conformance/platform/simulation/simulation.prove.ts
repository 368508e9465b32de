// `npm run prove -- platform`: ten thousand schedules; the default suite has three hundred. A thousand take about 50 s of one
// core and 25 s of another for PostgreSQL: ten minutes on an idle machine. SEED and SCHEDULES choose others, or fewer.
import { describe, expect, it } from 'vitest';
import { runMany, startSimulation } from './run-many.ts';
import type { ScheduleReport } from './schedule.ts';

describe('reporters and ingest behind a bad network', () => {
  it('lose nothing, reorder nothing and double nothing in 10,000 schedules', { timeout: 2 * 3_600_000 }, async () => {
    const from = Number(process.env['SEED'] ?? 1_000);
    const count = Number(process.env['SCHEDULES'] ?? 10_000);
    const { ingest, stop } = await startSimulation();
    try {
      const onDone = progress(count);
      const { lost, reordered, doubled, ...totals } = await runMany(ingest, { from, count, onDone });
      console.info(
        JSON.stringify({ from, ...totals, lost: lost.length, reordered: reordered.length, doubled: doubled.length }),
      );
      expect({ lost, reordered, doubled }).toEqual({ lost: [], reordered: [], doubled: [] });
    } finally {
      await stop();
    }
  });
});

const everySchedules = 500;

/** A line for people every so many schedules, and at once for one that found something. */
function progress(count: number): (seed: number, report: ScheduleReport) => void {
  const startedMs = performance.now();
  let done = 0;
  return (seed, { lost, reordered, doubled }) => {
    done++;
    const found = [...lost, ...reordered, ...doubled];
    if (found.length > 0) console.info(`seed ${seed}: ${found.join('; ')}`);
    if (done % everySchedules !== 0) return;
    const seconds = (performance.now() - startedMs) / 1000;
    const left = ((count - done) * seconds) / done;
    console.info(`${done} of ${count} schedules in ${seconds.toFixed(0)} s, about ${left.toFixed(0)} s to go`);
  };
}
