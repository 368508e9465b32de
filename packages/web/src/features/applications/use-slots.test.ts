import { expect, it } from 'vitest';
import { nextSlots } from './use-slots.ts';

const slotsOf = (keys: readonly string[], before: Iterable<readonly [string, number]> = [], focused?: number) =>
  Object.fromEntries(nextSlots(new Map(before), keys, focused));

it('gives each row a slot of its own', () => {
  expect(slotsOf(['a', 'b', 'c'])).toEqual({ a: 0, b: 1, c: 2 });
});

it('leaves rows that stay where they were, and hands on what others leave', () => {
  const before = [
    ['a', 0],
    ['b', 1],
    ['c', 2],
  ] as const;
  expect(slotsOf(['d', 'c', 'a', 'e'], before)).toEqual({ d: 1, c: 2, a: 0, e: 3 });
});

it('does not hand on the slot that holds the focus', () => {
  expect(slotsOf(['d'], [['a', 0]], 0)).toEqual({ d: 1 });
});
