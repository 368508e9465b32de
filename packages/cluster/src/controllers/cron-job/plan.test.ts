import { describe, expect, it } from 'vitest';
import { runsOf } from './plan.ts';

const cronJob = (schedule: string, lastScheduleTime: string, spec: object = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'tick' },
  spec: { schedule, ...spec },
  status: { lastScheduleTime },
});
const now = Date.parse('2026-06-15T12:30:20Z');
const runs = (...input: Parameters<typeof cronJob>) => {
  const found = runsOf(cronJob(...input), now);
  const text = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16));
  return found && [text(found.dueMs), text(found.nextMs)];
};

describe('the runs of a cron job', () => {
  it('makes up for the latest missed run only, however many there were', () => {
    expect(runs('* * * * *', '2020-01-01T00:00:00Z')).toEqual(['2026-06-15T12:30', '2026-06-15T12:31']);
    expect(runs('0 3 * * *', '2020-01-01T00:00:00Z')).toEqual(['2026-06-15T03:00', '2026-06-16T03:00']);
    expect(runs('0 0 29 2 *', '2020-01-01T00:00:00Z')).toEqual(['2024-02-29T00:00', '2028-02-29T00:00']);
  });

  it('has nothing due when the latest run has started', () => {
    expect(runs('*/30 * * * *', '2026-06-15T12:30:00Z')).toEqual([undefined, '2026-06-15T13:00']);
  });

  it('gives up a run that is later than its starting deadline', () => {
    const spec = { startingDeadlineSeconds: 60 };
    expect(runs('0 * * * *', '2026-06-15T11:00:00Z', spec)).toEqual([undefined, '2026-06-15T13:00']);
  });

  it('has none when the schedule or the zone cannot be read', () => {
    expect(runs('often', '2026-01-01T00:00:00Z')).toBeUndefined();
    expect(runs('* * * * *', '2026-01-01T00:00:00Z', { timeZone: 'Mars/Olympus' })).toBeUndefined();
  });
});
