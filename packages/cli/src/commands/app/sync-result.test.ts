import { FakeClock } from '@fairlead/base';
import { expect, it } from 'vitest';
import { untilTellable } from './sync-result.ts';

const operation = (startedAt: string) => ({
  phase: 'Succeeded' as const,
  startedAt,
  finishedAt: startedAt,
  results: [],
});

it('begins no sync in the second of the operation before, which it could not be told from', async () => {
  const clock = new FakeClock();
  const at = (agoMs: number) => operation(new Date(clock.now() - agoMs).toISOString());
  const isWaiting = async (agoMs: number) => {
    let isOver = false;
    const waiting = untilTellable(at(agoMs), clock).then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    const waited = !isOver;
    await clock.advance(1000);
    await waiting;
    return waited;
  };
  expect(await isWaiting(0)).toBe(true);
  expect(await isWaiting(999)).toBe(true);
  expect(await isWaiting(1000)).toBe(false);
  await untilTellable(undefined, clock);
});
