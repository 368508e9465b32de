import { FakeClock } from '@fairlead/base';
import { expect, it } from 'vitest';
import { RevisionWrites } from './revision-writes.ts';

function counting(applications: number) {
  const clock = new FakeClock();
  const writes = new RevisionWrites({ clock, applications: () => applications });
  const turnsIn = async (seconds: number) => {
    let turns = 0;
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1000);
      for (let asked = 0; asked < 100; asked++) if (writes.take()) turns++;
    }
    return turns;
  };
  return { writes, turnsIn };
}

it('gives a few turns at once, then one a second', async () => {
  const { turnsIn } = counting(100);
  expect(await turnsIn(1)).toBe(5);
  expect(await turnsIn(100)).toBe(100);
});

it('gives ten thousand applications their turn in a quarter of an hour', async () => {
  const turns = await counting(10_000).turnsIn(900);
  expect(turns).toBeGreaterThan(9900);
  expect(turns).toBeLessThan(10_100);
});

it('gives a tenth of them while a push is worked off, and most of them though pushes never cease', async () => {
  const { writes, turnsIn } = counting(100);
  let during = 0;
  let all = 0;
  for (let push = 0; push < 20; push++) {
    writes.pushed();
    const turns = await turnsIn(2);
    during += turns;
    all += turns + (await turnsIn(8));
  }
  expect(during).toBeLessThanOrEqual(20);
  expect(all).toBeGreaterThanOrEqual(140);
});
