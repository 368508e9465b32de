import { FakeClock } from '@fairlead/base';
import type { TunnelSession } from '@fairlead/tunnel';
import { describe, expect, it } from 'vitest';
import { Comebacks } from './comebacks.ts';

const session = (runtimeId: string) => ({ runtimeId }) as TunnelSession; // nothing else of it is used here
const forEver = new AbortController().signal;

describe('a call to a runtime whose line', () => {
  it('was just lost gets it when it is back', async () => {
    const clock = new FakeClock();
    const comebacks = new Comebacks(clock);
    comebacks.lost(['r1']);
    const waiting = comebacks.wait('r1', forEver);
    await clock.advance(2_000);
    const back = session('r1');
    comebacks.back(session('r2'));
    comebacks.back(back);
    expect(await waiting).toBe(back);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not come back waits five seconds, not longer', async () => {
    const clock = new FakeClock();
    const comebacks = new Comebacks(clock);
    comebacks.lost(['r1']);
    const waiting = comebacks.wait('r1', forEver);
    await clock.advance(5_000);
    expect(await waiting).toBeUndefined();
  });

  it('is away for longer, or never was here, is told at once', async () => {
    const clock = new FakeClock();
    const comebacks = new Comebacks(clock);
    comebacks.lost(['r1']);
    await clock.advance(15_000);
    comebacks.forgetOld();
    expect(await comebacks.wait('r1', forEver)).toBeUndefined();
    expect(await comebacks.wait('r2', forEver)).toBeUndefined();
    expect(clock.pendingTimers).toBe(0);
  });

  it('was taken away is not waited for, not even by those who wait', async () => {
    const clock = new FakeClock();
    const comebacks = new Comebacks(clock);
    comebacks.lost(['r1']);
    const waiting = comebacks.wait('r1', forEver);
    comebacks.revoked('r1');
    expect(await waiting).toBeUndefined();
    comebacks.lost(['r1']);
    expect(await comebacks.wait('r1', forEver)).toBeUndefined();
    expect(clock.pendingTimers).toBe(0);
  });

  it('stops waiting when the caller does', async () => {
    const clock = new FakeClock();
    const comebacks = new Comebacks(clock);
    comebacks.lost(['r1']);
    const caller = new AbortController();
    const waiting = comebacks.wait('r1', caller.signal);
    caller.abort();
    expect(await waiting).toBeUndefined();
    expect(clock.pendingTimers).toBe(0);
  });
});
