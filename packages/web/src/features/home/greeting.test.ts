import type { ApplicationRow } from '@fairlead/contracts';
import { expect, it } from 'vitest';
import { answerOf } from './greeting.ts';
import { needsPeople } from './needs-people.ts';

const summary = { total: 3, byHealth: { Healthy: 2, Progressing: 1 }, bySync: { Synced: 3 } };
const runtime = { name: 'eu', kind: 'hosted' as const, status: 'connected' as const, createdAt: '', applications: 3 };
const nowMs = Date.parse('2026-11-15T12:00:00Z');
const moving = (note: string, seconds: number) =>
  ({
    ...{ id: { runtime: 'eu', namespace: 'argocd', name: 'shop' }, sync: {}, note, changedAt: '' },
    health: { status: 'Progressing', lastTransitionTime: new Date(nowMs - seconds * 1000).toISOString() },
  }) as ApplicationRow; // what the words need of it
const answer = (row: ApplicationRow) => answerOf(summary, [runtime], { worst: [row], tokens: [], nowMs });

it('does not call a rollout that is stuck a version on its way', () => {
  const stuck = moving('1 pod cannot pull the image shop:v9', 90);
  expect(needsPeople(stuck, nowMs)).toBe(true);
  expect(answer(stuck)).toEqual({ lead: 'shop is held up:', rest: '1 pod cannot pull the image shop:v9.' });
});

it('does not say that nothing is known to somebody who may see nothing', () => {
  const nothing = { total: 0, byHealth: {}, bySync: {} };
  const say = (more: object) => answerOf({ ...nothing, ...more }, [], { worst: [], tokens: [], nowMs });
  expect(say({ unseen: 'git' })).toEqual({ lead: 'You see no application.', rest: 'Below is why.' });
  expect(say({}).lead).toBe('Nothing is connected yet.');
});

it('leaves a rollout that has only begun in peace', () => {
  for (const row of [moving('1 of 2 pods are up', 20), moving('', 600)]) {
    expect(needsPeople(row, nowMs)).toBe(false);
    expect(answer(row)).toEqual({
      lead: 'Nothing needs you.',
      rest: '1 application on the way to a new version.',
    });
  }
});

it('counts a Git token that is about to end among what needs people', () => {
  const token = { runtime: 'eu', host: 'github.com', problem: 'it ends in 4 days; make a new one at github.com' };
  const { lead, rest } = answerOf(summary, [runtime], { worst: [], tokens: [token], nowMs });
  expect(lead).toBe('One thing needs you:');
  expect(rest).toBe('your Git token for github.com: it ends in 4 days; make a new one at github.com.');
});
