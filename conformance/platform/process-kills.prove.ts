// `npm run prove -- platform`: needs the built packages, as the command makes them.
import { describe, expect, it } from 'vitest';
import { runProcessKills } from './process-kills.ts';

describe('reporter, platform and PostgreSQL, each killed or frozen while applications change', () => {
  it('lose nothing, reorder nothing and double nothing in 36 faults', async () => {
    const seed = Number(process.env['SEED'] ?? 1);
    const report = await runProcessKills({ seed, faults: 36, applications: 6 });
    console.log(JSON.stringify({ seed, ...report }));
    expect({ lost: report.lost, reordered: report.reordered, doubled: report.doubled }).toEqual({
      lost: [],
      reordered: [],
      doubled: [],
    });
    expect(report.operations).toBeGreaterThan(5);
  });
});
