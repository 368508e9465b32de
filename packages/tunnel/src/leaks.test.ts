// What was used goes back: after many streams, some of them given up half-way, and many cuts, a process has as many sockets
// and timers as before the first. At full size: `leaks.prove.ts`.
import { afterEach, expect, it } from 'vitest';
import { streamAndCut } from './leaks.ts';
import { eventually, stopAll } from './testing.ts';

afterEach(stopAll);

it('a tunnel leaves no socket, stream or timer behind, however often it is cut', async () => {
  const { before, after, open } = await streamAndCut({ cuts: 10, streamsPerCut: 70, warmUpCuts: 0 });
  await eventually('as little is held as before', () => {
    const { resources, descriptors } = after();
    return open().streams === 0 && resources <= before.resources && descriptors <= before.descriptors;
  });
  expect(open().tunnels).toBe(1);
});
