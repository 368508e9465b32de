import { expect, it } from 'vitest';
import { keyName, stepKeys } from './sequence.ts';

const bindings = ['g a', 'g r', 'j', '?', 'mod+k'];

it('matches single keys at once and two-key jumps at the second key', () => {
  expect(stepKeys(bindings, '', 'j')).toEqual({ pending: '', matched: 'j' });
  expect(stepKeys(bindings, '', 'g')).toEqual({ pending: 'g' });
  expect(stepKeys(bindings, 'g', 'r')).toEqual({ pending: '', matched: 'g r' });
});

it('starts over with a wrong second key', () => {
  expect(stepKeys(bindings, 'g', 'j')).toEqual({ pending: '', matched: 'j' });
  expect(stepKeys(bindings, 'g', 'x')).toEqual({ pending: '' });
});

it('takes Ctrl and ⌘ as the same, and leaves Alt to the browser', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  expect(keyName({ ...plain, key: 'K', metaKey: true })).toBe('mod+k');
  expect(keyName({ ...plain, key: 'k', ctrlKey: true })).toBe('mod+k');
  expect(keyName({ ...plain, key: '?' })).toBe('?');
  expect(keyName({ ...plain, key: 'a', altKey: true })).toBeUndefined();
  expect(keyName({ ...plain, key: 'Shift' })).toBeUndefined();
});
