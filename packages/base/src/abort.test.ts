import { describe, expect, it } from 'vitest';
import { abortable, FakeClock, mapLimit, sleep, untilAborted } from './index.ts';

describe('sleep', () => {
  it('ends when the clock says so', async () => {
    const clock = new FakeClock();
    let done = false;
    const sleeping = sleep(1_000, { clock }).then(() => {
      done = true;
    });
    await clock.advance(999);
    expect(done).toBe(false);
    await clock.advance(1);
    await sleeping;
    expect(done).toBe(true);
  });

  it('rejects with the reason of the abort and leaves no timer behind', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const sleeping = sleep(1_000, { clock, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('abortable', () => {
  it('does not leave the failure of work unheard that nobody waits for any more', async () => {
    const unheard: unknown[] = [];
    const listener = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', listener);
    await expect(abortable(Promise.reject(new Error('late')), AbortSignal.abort())).rejects.toThrow('aborted');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listener);
    expect(unheard).toEqual([]);
  });

  it('lets go of a promise that never settles', async () => {
    const controller = new AbortController();
    const waiting = abortable(new Promise(() => undefined), controller.signal);
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await untilAborted(controller.signal);
  });
});

describe('mapLimit', () => {
  it('never runs more than the limit at once and keeps the order of results', async () => {
    let running = 0;
    let most = 0;
    const results = await mapLimit([5, 1, 4, 2, 3], 2, async (item) => {
      running++;
      most = Math.max(most, running);
      for (let turn = 0; turn < item; turn++) await Promise.resolve();
      running--;
      return item * 10;
    });
    expect(results).toEqual([50, 10, 40, 20, 30]);
    expect(most).toBe(2);
  });

  it('starts no new work after a failure', async () => {
    const started: number[] = [];
    const work = mapLimit([1, 2, 3, 4], 1, async (item) => {
      started.push(item);
      if (item === 2) throw new Error('two');
    });
    await expect(work).rejects.toThrow('two');
    expect(started).toEqual([1, 2]);
  });
});
