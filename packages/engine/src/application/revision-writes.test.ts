import { FakeClock } from '@fairlead/base';
import { expect, it } from 'vitest';
import { RevisionWrites } from './revision-writes.ts';

async function turnsIn(seconds: number, applications: number): Promise<number> {
  const clock = new FakeClock();
  const writes = new RevisionWrites({ clock, applications: () => applications });
  let turns = 0;
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1000);
    for (let asked = 0; asked < 100; asked++) if (writes.take()) turns++;
  }
  return turns;
}

it('gives a few turns at once, then one a second', async () => {
  expect(await turnsIn(1, 100)).toBe(5);
  expect(await turnsIn(101, 100)).toBe(105);
});

it('gives ten thousand applications their turn in a quarter of an hour', async () => {
  const turns = await turnsIn(900, 10_000);
  expect(turns).toBeGreaterThan(9900);
  expect(turns).toBeLessThan(10_100);
});
