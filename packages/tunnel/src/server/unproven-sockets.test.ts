import { FakeClock } from '@fairlead/base';
import { expect, it } from 'vitest';
import { limits } from '../wire/index.ts';
import { UnprovenSockets } from './unproven-sockets.ts';

/** One address after the other; `outcome` of each socket is what became of it. */
function crowd() {
  const clock = new FakeClock();
  const sockets = new UnprovenSockets(clock);
  const entered: { source: string; leave: () => void }[] = [];
  const refused: string[] = [];
  const come = (source: string) =>
    sockets.add(source, {
      enter: (leave) => void entered.push({ source, leave }),
      refuse: () => void refused.push(source),
    });
  const comeAll = (source: string, count: number) => Array.from({ length: count }, () => come(source));
  return { clock, sockets, entered, refused, come, comeAll };
}

it('lets a thousand of one address in, a hundred at a time, and refuses none of them', () => {
  const { sockets, entered, refused, comeAll } = crowd();
  comeAll('nat', 1_000);
  expect(sockets.counts).toEqual({ underWay: 100, waiting: 900, refused: 0 });
  for (let n = 0; n < 1_000; n++) entered[n]?.leave();
  expect(entered).toHaveLength(1_000);
  expect(sockets.counts).toEqual({ underWay: 0, waiting: 0, refused: 0 });
  expect(refused).toEqual([]);
});

it('refuses who waited in vain, before its client gives up by itself', async () => {
  const { clock, sockets, refused, comeAll } = crowd();
  comeAll('stranger', 101);
  await clock.advance(limits.waitingMs);
  expect(refused).toEqual(['stranger']);
  expect(sockets.counts).toEqual({ underWay: 100, waiting: 0, refused: 1 });
  expect(clock.pendingTimers).toBe(0);
});

it('lets other addresses in whatever one holds, and takes turns between those that wait', () => {
  const { entered, come, comeAll } = crowd();
  for (let n = 0; n < 10; n++) comeAll(`many-${n}`, 150);
  expect(entered).toHaveLength(limits.maxUnproven);
  come('late');
  entered[0]?.leave();
  entered[100]?.leave();
  // Two turns: the address that waits first and has room, then the late one or another that has room, never one without.
  expect(entered.slice(limits.maxUnproven).map(({ source }) => source)).toEqual(['many-0', 'many-1']);
  entered[200]?.leave();
  expect(entered.at(-1)?.source).toBe('many-2');
  for (const { leave } of entered.slice(300, 1_000)) leave();
  expect(entered.some(({ source }) => source === 'late')).toBe(true);
});

it('has a bound of one address and in all; at that the longest line gives up a place', () => {
  const { sockets, refused, come, comeAll } = crowd();
  comeAll('greedy', limits.maxUnprovenPerSource + limits.maxWaitingPerSource + 1);
  expect(refused).toEqual(['greedy']);
  for (let n = 0; sockets.counts.underWay < limits.maxUnproven; n++) comeAll(`filler-${n}`, 100);
  for (let n = 0; sockets.counts.waiting < limits.maxWaiting; n++) comeAll(`crowd-${n}`, 1_000);
  come('small');
  expect(refused).toEqual(['greedy', 'greedy']);
  expect(sockets.counts.waiting).toBe(limits.maxWaiting);
});

it('forgets who left the line', () => {
  const { clock, sockets, comeAll } = crowd();
  const leave = comeAll('a', 103).slice(100);
  for (const each of leave) each();
  expect(sockets.counts.waiting).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});
