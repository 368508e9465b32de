// `npm run prove -- cluster`: two minutes of the chaos that the default suite samples.
import { describe, expect, it } from 'vitest';
import { runWatchChaos } from './watch-chaos.ts';

describe('informers behind a network that cuts, stalls and half-opens', () => {
  it('end equal to the store after two minutes', async () => {
    const seed = Number(process.env['SEED'] ?? 1);
    const report = await runWatchChaos({ seed, durationMs: 120_000, leastFaults: 100, informers: 12 });
    console.log(`seed ${seed}: ${JSON.stringify(report)}`);
    expect(report.wrong).toEqual([]);
    expect(Object.keys(report.faults)).toHaveLength(5);
  });
});
