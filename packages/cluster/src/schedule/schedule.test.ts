import { describe, expect, it } from 'vitest';
import { scheduleProblem } from './problem.ts';
import { nextTime, parseSchedule, zoneOffset } from './schedule.ts';

function next(schedule: string, after: string, zone = 'UTC'): string | undefined {
  const parsed = parseSchedule(schedule);
  const offset = zoneOffset(zone);
  if (!parsed || !offset) return undefined;
  const atMs = nextTime(parsed, Date.parse(after), offset);
  return atMs === undefined ? 'never' : new Date(atMs).toISOString().replace(':00.000Z', '');
}

describe('a cron schedule', () => {
  it.each([
    ['* * * * *', '2026-01-01T00:00:30Z', '2026-01-01T00:01'],
    ['*/15 * * * *', '2026-01-01T00:15:00Z', '2026-01-01T00:30'],
    ['5/20 * * * *', '2026-01-01T00:26:00Z', '2026-01-01T00:45'],
    ['0 9-17/4 * * mon-fri', '2026-01-02T17:30:00Z', '2026-01-05T09:00'],
    ['30 2 1,15 * *', '2026-01-02T00:00:00Z', '2026-01-15T02:30'],
    ['0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00'],
    ['0 0 * * 7', '2026-01-01T00:00:00Z', '2026-01-04T00:00'],
    ['@monthly', '2026-01-01T00:00:00Z', '2026-02-01T00:00'],
    ['0 0 30 2 *', '2026-01-01T00:00:00Z', 'never'],
  ])('%s comes after %s at %s', (schedule, after, expected) => expect(next(schedule, after)).toBe(expected));

  it('means the wall clock of its time zone', () => {
    expect(next('0 9 * * *', '2026-01-10T00:00:00Z', 'Europe/Berlin')).toBe('2026-01-10T08:00');
    expect(next('0 9 * * *', '2026-07-10T00:00:00Z', 'Europe/Berlin')).toBe('2026-07-10T07:00');
    expect(next('0 0 * * 0', '2026-03-28T12:00:00Z', 'America/New_York')).toBe('2026-03-29T04:00');
  });

  it.each(['', '* * * *', '60 * * * *', '*/0 * * * *', 'a * * * *', '5-1 * * * *', '* * * * 8'])('refuses %j', (text) =>
    expect(parseSchedule(text)).toBeUndefined(),
  );

  it('refuses zones that do not exist', () => expect(zoneOffset('Mars/Olympus')).toBeUndefined());
});

describe('a schedule that cannot be', () => {
  it.each([
    ['often', 'expected exactly 5 fields, found 1: [often]'],
    ['61 * * * *', 'end of range (61) above maximum (59): 61'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-3 * * * *', 'beginning of range (5) beyond end of range (3): 5-3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ['@never', 'unrecognized descriptor: @never'],
  ])('is refused with the reason: %s', (schedule, problem) => {
    expect(scheduleProblem(schedule)).toBe(problem);
  });

  it.each(['@daily', '@every 90s', '*/5 9-17 * jan,jul mon-fri'])('is told from one that can: %s', (schedule) => {
    expect(scheduleProblem(schedule)).toBeUndefined();
    expect(parseSchedule(schedule)).toBeDefined();
  });
});
