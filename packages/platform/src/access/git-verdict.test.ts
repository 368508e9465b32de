import { describe, expect, it } from 'vitest';
import { isDue, isOpen, type KnownRight, mayRead } from './git-verdict.ts';

const minutes = (count: number) => count * 60_000;
const yes: KnownRight = { verdict: { read: true, askedMs: 0 }, triedMs: 0 };
const no: KnownRight = { verdict: { read: false, askedMs: 0 }, triedMs: 0 };
const silent = (known: KnownRight, atMs: number): KnownRight => ({ ...known, triedMs: atMs, silentMs: atMs });

describe('what was said of a right', () => {
  it.each<[what: string, known: KnownRight, nowMs: number, seen: [read: boolean, due: boolean, open: boolean]]>([
    ['nothing, yet', {}, 0, [false, true, true]],
    ['nothing, and it was asked for a moment ago', { triedMs: 0 }, 9_999, [false, false, true]],
    ['nothing, and it was asked for a while ago', { triedMs: 0 }, 10_000, [false, true, true]],
    ['yes, now', yes, 0, [true, false, false]],
    ['yes, and it will end soon', yes, minutes(4), [true, true, false]],
    ['yes, at the last moment that it holds', yes, minutes(5) - 1, [true, true, false]],
    ['yes, 5 minutes ago', yes, minutes(5), [false, true, true]],
    ['yes, 5 minutes ago, and nobody answers', silent(yes, minutes(5)), minutes(5), [true, false, false]],
    [
      'yes, 15 minutes ago less a moment, and nobody answers',
      silent(yes, minutes(14.5)),
      minutes(15) - 1,
      [true, true, false],
    ],
    ['yes, 15 minutes ago, and nobody answers', silent(yes, minutes(14.5)), minutes(15), [false, true, true]],
    ['yes, and that nobody answers was found a minute ago', silent(yes, minutes(6)), minutes(7), [false, true, true]],
    ['yes after a silence, 5 minutes ago', { ...yes, silentMs: -1 }, minutes(5), [false, true, true]],
    ['no, now', no, 0, [false, false, false]],
    ['no, at the last moment that it holds', no, minutes(1) - 1, [false, false, false]],
    ['no, a minute ago', no, minutes(1), [false, true, false]],
    ['no, and nobody answers', silent(no, minutes(2)), minutes(2), [false, false, false]],
  ])('%s', (_, known, nowMs, seen) => {
    expect([mayRead(known, nowMs), isDue(known, nowMs), isOpen(known, nowMs)]).toEqual(seen);
  });
});
