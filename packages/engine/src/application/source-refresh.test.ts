import { FakeClock } from '@fairlead/base';
import type { Application } from '@fairlead/contracts';
import type { LoadedSources, SourceLoader } from '@fairlead/render';
import { expect, it } from 'vitest';
import type { PollTimes } from '../settings/index.ts';
import { SourceRefresh } from './source-refresh.ts';

const source = { repoURL: 'https://git.example/a.git', path: '.', targetRevision: 'main' };
const application = { metadata: { name: 'a' }, spec: { source } } as unknown as Application; // what is asked for of one
const context = { applicationName: 'a', namespace: 'n' };
const { signal } = new AbortController();
const loaded: LoadedSources = { revisions: ['1'], parts: [undefined], isMulti: false };
const never = Number.POSITIVE_INFINITY;

function refreshing(first: PollTimes) {
  const clock = new FakeClock();
  const loads: boolean[] = [];
  let polls = first;
  let at: 'unmoved' | 'untouched' | 'unknown' = 'unmoved';
  const sources = {
    load: (_loading: unknown, { fresh }: { fresh: boolean }) => {
      loads.push(fresh);
      return Promise.resolve(loaded);
    },
    isStillAt: () => Promise.resolve(at === 'unmoved'),
    isUntouched: () => Promise.resolve(at === 'untouched'),
  } as unknown as SourceLoader; // what is asked for of one
  const quiet = { onLoad: () => undefined, onFailure: () => undefined };
  const refresh = new SourceRefresh({ sources, clock, random: () => 0.5, polls: () => polls, ...quiet });
  const look = async () => {
    const found = await refresh.poll(application, signal);
    if (found === 'unknown') await refresh.loadIfDue(application, context, signal);
    else refresh.endPoll();
    return found;
  };
  const set = (next: PollTimes) => {
    polls = next;
  };
  const move = (to: typeof at) => {
    at = to;
  };
  return { clock, loads, refresh, look, set, move };
}

it('polls after the period and a part of the jitter, and follows settings at once', async () => {
  const { clock, loads, refresh, look, set } = refreshing({ everyMs: 100_000, jitterMs: 10_000, hardEveryMs: never });
  await look();
  expect([loads, refresh.untilPollMs]).toEqual([[false], 105_000]);
  set({ everyMs: never, jitterMs: 0, hardEveryMs: never });
  expect(refresh.untilPollMs).toBe(never);
  await clock.advance(1_000_000);
  await look();
  expect(loads).toEqual([false]);
  set({ everyMs: 60_000, jitterMs: 0, hardEveryMs: never });
  expect(refresh.isPollDue).toBe(true);
  await look();
  expect([loads, refresh.untilPollMs]).toEqual([[false], 60_000]);
});

it('renders anew past every cache when that period is over, whatever the polls find', async () => {
  const { clock, loads, refresh, look } = refreshing({ everyMs: 100_000, jitterMs: 0, hardEveryMs: 250_000 });
  await look();
  for (const untilPollMs of [100_000, 100_000, 50_000, 100_000]) {
    expect(refresh.untilPollMs).toBe(untilPollMs);
    await clock.advance(untilPollMs);
    await look();
  }
  expect(loads).toEqual([false, true]);
});

it('tells a poll that found only other revisions from one that has to load', async () => {
  const { clock, loads, refresh, look, move } = refreshing({ everyMs: 100_000, jitterMs: 0, hardEveryMs: never });
  expect(await look()).toBe('unknown');
  for (const at of ['unmoved', 'untouched', 'unknown'] as const) {
    move(at);
    await clock.advance(100_000);
    expect([await look(), refresh.untilPollMs]).toEqual([at, 100_000]);
  }
  expect(loads).toEqual([false, false]);
});
