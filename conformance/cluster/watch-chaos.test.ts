import { describe, expect, it } from 'vitest';
import { runWatchChaos } from './watch-chaos.ts';

describe('informers behind a network that cuts, stalls and half-opens', () => {
  it('end equal to the store', { timeout: 120_000 }, async () => {
    const report = await runWatchChaos({ seed: 20_261_115, durationMs: 5000, leastFaults: 6, informers: 4 });
    expect(report.wrong).toEqual([]);
  });
});
