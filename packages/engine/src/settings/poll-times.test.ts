import { expect, it } from 'vitest';
import { parseSettings } from './argocd-cm.ts';
import { pollTimes } from './poll-times.ts';

const timesOf = (data: Record<string, string>) => pollTimes(parseSettings(data).timeouts, 120_000);

it('polls as the flag says where argocd-cm says nothing', () => {
  expect(timesOf({})).toEqual({ everyMs: 120_000, jitterMs: 60_000, hardEveryMs: Number.POSITIVE_INFINITY });
});

it('polls as argocd-cm says', () => {
  const data = {
    'timeout.reconciliation': '3m',
    'timeout.reconciliation.jitter': '0',
    'timeout.hard.reconciliation': '1h30m',
  };
  expect(timesOf(data)).toEqual({ everyMs: 180_000, jitterMs: 0, hardEveryMs: 5_400_000 });
  expect(timesOf({ 'timeout.reconciliation': '0s' }).everyMs).toBe(Number.POSITIVE_INFINITY);
  expect(timesOf({ 'timeout.reconciliation': '1d' }).everyMs).toBe(86_400_000);
});

it.each(['soon', '180', '-5s', '10ms', '3 m'])('tells of %j and goes on with the flag', (value) => {
  const { timeouts, problems } = parseSettings({ 'timeout.reconciliation': value });
  expect(timeouts.pollMs).toBeUndefined();
  expect(problems).toEqual([
    `argocd-cm: timeout.reconciliation: ${JSON.stringify(value)} is no period; allowed: 0, or a duration of 1s or more, e.g. 180s, 3m, 1h30m`,
  ]);
});
