// P-TUN-6 for the tunnel itself: 1,000 cuts at any byte of request and answer, no act done twice.
import { afterEach, expect, it } from 'vitest';
import { cutActs } from './cuts.ts';
import { seeded, stopAll } from './testing.ts';

afterEach(stopAll);

it.each([1, 2])('1,000 cuts: every outcome is defined, and no act is done twice (seed %i)', async (seed) => {
  const { wrong, ...outcomes } = await cutActs({ acts: 1_000, random: seeded(seed) });
  console.info(JSON.stringify({ seed, ...outcomes, wrong: wrong.length }));
  expect(wrong).toEqual([]);
  expect(outcomes.answered, 'cuts after the answer').toBeGreaterThan(0);
  expect(outcomes.unknown, 'cuts on the way').toBeGreaterThan(0);
});
