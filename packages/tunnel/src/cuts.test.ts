// An act whose line is cut has a defined outcome, and is never done twice. At full size: `cuts.prove.ts`.
import { afterEach, expect, it } from 'vitest';
import { cutActs } from './cuts.ts';
import { seeded, stopAll } from './testing.ts';

afterEach(stopAll);

it('an act that is cut at any byte is done once at most, and never when it is told as unseen', async () => {
  const { wrong, answered, unknown, unseen } = await cutActs({ acts: 40, random: seeded(1) });
  expect(wrong).toEqual([]);
  expect(answered + unknown + unseen).toBe(40);
});
