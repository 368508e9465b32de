import { FakeClock } from '@fairlead/base';
import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';

describe('changes of an application', () => {
  it('that was at rest wait for nothing, also after many others', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock);
    expect(pace.hold('new')).toBe(0);
    pace.looked('web');
    await clock.advance(100);
    expect(pace.hold('web')).toBe(0);
    for (let n = 0; n < 5_000; n++) pace.looked(`app-${n}`);
    expect(pace.hold('new')).toBe(0);
  });

  it('on the heels of a look wait together, as one that is queued, until the next look', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock);
    pace.looked('web');
    await clock.advance(30);
    expect(pace.hold('web')).toBe(70);
    expect(pace.hold('web'), 'one waits already').toBeUndefined();
    expect(pace.held).toBe(1);
    await clock.advance(70);
    pace.looked('web');
    expect(pace.held).toBe(0);
    expect(pace.hold('web')).toBe(100);
  });

  it('wait longer in a flood, never beyond the bound, and shortly again when it is over', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock);
    for (let n = 0; n < 400; n++) pace.looked(`app-${n}`);
    expect(pace.hold('app-1')).toBe(800);
    for (let n = 400; n < 5_000; n++) pace.looked(`app-${n}`);
    expect(pace.hold('app-2')).toBe(1_500);
    await clock.advance(2_000);
    pace.looked('app-3');
    expect(pace.hold('app-3')).toBe(100);
  });

  it('that is gone are forgotten', () => {
    const pace = new Pace(new FakeClock());
    pace.looked('web');
    pace.hold('web');
    pace.forget('web');
    expect(pace.held).toBe(0);
    expect(pace.hold('web')).toBe(0);
  });
});
