// P-TUN-7 at full size: 100,000 streams and 1,000 reconnects leave sockets, timers, descriptors and heap where they were (±5 %).
import { afterEach, expect, it } from 'vitest';
import { streamAndCut } from './leaks.ts';
import { eventually, stopAll } from './testing.ts';

afterEach(stopAll);

const tolerance = 1.05;

it('100,000 streams and 1,000 reconnects leave nothing behind', async () => {
  const cpuBefore = process.cpuUsage();
  const { before, after, streams, open } = await streamAndCut({ cuts: 1_000, streamsPerCut: 100, warmUpCuts: 50 });
  const { user, system } = process.cpuUsage(cpuBefore);
  expect(streams).toBeGreaterThanOrEqual(100_000);
  await eventually(
    'as little is held as before',
    () => {
      const { resources, descriptors } = after();
      return open().streams === 0 && resources <= before.resources && descriptors <= before.descriptors;
    },
    60_000,
  );
  const now = after();
  console.info(JSON.stringify({ streams, before, after: now, cpuSeconds: Math.round((user + system) / 1e6) }));
  expect(open().tunnels).toBe(1);
  expect(now.heapBytes).toBeLessThanOrEqual(before.heapBytes * tolerance);
});
