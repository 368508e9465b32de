import { describe, expect, it } from 'vitest';
import { runKills } from './kills.ts';

describe('a cluster that is killed while clients write', () => {
  it('opens again, with every acknowledged write', { timeout: 120_000 }, async () => {
    const { lost, acknowledged } = await runKills({ seed: 11, kills: 10, writers: 8 });
    expect(lost).toEqual([]);
    expect(acknowledged).toBeGreaterThanOrEqual(5);
  });
});
