import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenVariants } from './network.ts';
import { runMany, startSimulation } from './run-many.ts';
import { runSchedule } from './schedule.ts';

let simulation: Awaited<ReturnType<typeof startSimulation>>;
beforeAll(async () => {
  simulation = await startSimulation();
});
afterAll(() => simulation?.stop());

describe('reporters and ingest behind a bad network', () => {
  it('lose nothing, reorder nothing and double nothing in 300 schedules', { timeout: 240_000 }, async () => {
    const { schedules, lost, reordered, doubled, faults, operations } = await runMany(simulation.ingest, {
      from: 1,
      count: 300,
    });
    expect({ schedules, lost, reordered, doubled }).toEqual({ schedules: 300, lost: [], reordered: [], doubled: [] });
    // A simulation in which nothing goes wrong would prove nothing.
    expect(Object.keys(faults)).toHaveLength(9);
    for (const times of Object.values(faults)) expect(times).toBeGreaterThan(50);
    expect(operations).toBeGreaterThan(500);
  });

  it('give the same for the same seed', async () => {
    const once = await runSchedule(simulation.ingest, { seed: 77 });
    expect(await runSchedule(simulation.ingest, { seed: 77 })).toEqual(once);
  });
});

describe('the checker', () => {
  it.each(brokenVariants)('catches a build with: %s', { timeout: 120_000 }, async (broken) => {
    for (let seed = 1; seed <= 100; seed++) {
      const { lost, reordered, doubled } = await runSchedule(simulation.ingest, { seed, broken });
      if (lost.length + reordered.length + doubled.length > 0) return;
    }
    expect.fail(`a hundred schedules did not find it: ${broken}`);
  });
});
