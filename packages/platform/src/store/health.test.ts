import { FakeClock } from '@fairlead/base';
import { describe, expect, it } from 'vitest';
import { healthAfter, healthy, outcomeWithin, type ProbeOutcome } from './health.ts';

describe('the health of the database', () => {
  it.each<[ProbeOutcome[], boolean]>([
    [['answered'], true],
    [['refused'], false],
    [['silent'], true],
    [['silent', 'silent'], false],
    [['silent', 'answered', 'silent'], true],
    [['silent', 'refused'], false],
    [['refused', 'silent'], false],
    [['refused', 'silent', 'silent'], false],
    [['refused', 'answered'], true],
  ])('after %j it is up: %s', (outcomes, isUp) => {
    expect(outcomes.reduce(healthAfter, healthy).isUp).toBe(isUp);
  });

  it('tells an answer, a refusal and silence apart', async () => {
    const clock = new FakeClock();
    const silent = outcomeWithin(1_500, clock, new Promise(() => {}));
    clock.advance(1_500);
    expect(await silent).toBe('silent');
    expect(await outcomeWithin(1_500, clock, Promise.resolve(1))).toBe('answered');
    expect(await outcomeWithin(1_500, clock, Promise.reject(new Error('refused')))).toBe('refused');
  });
});
