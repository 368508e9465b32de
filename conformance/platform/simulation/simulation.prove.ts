// `npm run prove -- platform`: ten thousand schedules; the default suite has three hundred.
import { describe, expect, it } from 'vitest';
import { runMany, startSimulation } from './run-many.ts';

describe('reporters and ingest behind a bad network', () => {
  it('lose nothing, reorder nothing and double nothing in 10,000 schedules', { timeout: 2 * 3_600_000 }, async () => {
    const from = Number(process.env['SEED'] ?? 1_000);
    const count = Number(process.env['SCHEDULES'] ?? 10_000);
    const { ingest, stop } = await startSimulation();
    try {
      const { lost, reordered, doubled, ...totals } = await runMany(ingest, { from, count });
      console.log(
        JSON.stringify({ from, ...totals, lost: lost.length, reordered: reordered.length, doubled: doubled.length }),
      );
      expect({ lost, reordered, doubled }).toEqual({ lost: [], reordered: [], doubled: [] });
    } finally {
      await stop();
    }
  });
});
