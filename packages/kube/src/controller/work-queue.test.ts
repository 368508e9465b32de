import { FakeClock, TerminalError, WaitingError } from '@fairlead/base';
import { describe, expect, it } from 'vitest';
import { runWorkers } from './run-workers.ts';
import { WorkQueue } from './work-queue.ts';

const setUp = () => {
  const clock = new FakeClock();
  return { clock, queue: new WorkQueue({ clock, random: () => 0.5 }) };
};

describe('the work queue', () => {
  it('holds a key once however often it is added', async () => {
    const { queue } = setUp();
    queue.add('a');
    queue.add('b');
    queue.add('a');
    expect([await queue.take(), await queue.take(), queue.stats().depth]).toEqual(['a', 'b', 0]);
  });

  it('gives a key again that was added while it was worked on, never to two at a time', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.take();
    queue.add('a');
    expect(queue.stats()).toMatchObject({ depth: 0, active: 1 });
    queue.done('a');
    expect(await queue.take()).toBe('a');
  });

  it('counts the earliest of several waits for one key', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 100);
    queue.addAfter('a', 5000);
    await clock.advance(100);
    expect(queue.stats()).toMatchObject({ depth: 1, delayed: 0 });
  });

  it('waits longer after each failure and starts over after success', () => {
    const { queue } = setUp();
    const delays = [queue.addFailed('a'), queue.addFailed('a'), queue.addFailed('a')];
    expect(delays).toEqual([50, 100, 200]);
    queue.forget('a');
    expect(queue.addFailed('a')).toBe(50);
  });

  it('lets takers go when it is closed', async () => {
    const { queue } = setUp();
    const taken = queue.take();
    queue.close();
    expect(await taken).toBeUndefined();
  });
});

describe('workers', () => {
  it('retry failures, wait when told so, and give up on terminal errors', async () => {
    const { queue, clock } = setUp();
    const stop = new AbortController();
    const seen: string[] = [];
    const reconcile = async (key: string) => {
      seen.push(key);
      if (seen.filter((other) => other === key).length > 1) return;
      if (key === 'fails') throw new Error('once');
      if (key === 'waits') throw new WaitingError('later', 'later', 50);
      if (key === 'stops') throw new TerminalError('never', 'never');
    };
    const running = runWorkers({ queue, concurrency: 2, reconcile, signal: stop.signal });
    for (const key of ['fails', 'waits', 'stops']) queue.add(key);
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    await clock.advance(1000);
    await settle();
    expect(seen.toSorted()).toEqual(['fails', 'fails', 'stops', 'waits', 'waits']);
    stop.abort();
    await running;
  });
});
