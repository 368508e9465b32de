// `npm run prove -- cluster`: two hundred kills; the default suite has ten.
import { describe, expect, it } from 'vitest';
import { runKills } from './kills.ts';

describe('a cluster that is killed while clients write', () => {
  it('opens again two hundred times, with every acknowledged write', async () => {
    const seed = Number(process.env['SEED'] ?? 1);
    const report = await runKills({ seed, kills: 200, writers: 8 });
    console.log(
      `seed ${seed}: ${report.kills} kills, ${report.acknowledged} acknowledged writes, ${report.lost.length} lost`,
    );
    expect(report.lost).toEqual([]);
  });
});
