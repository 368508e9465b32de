import { expect, it } from 'vitest';
import { matchesGlob } from './glob.ts';

// As github.com/gobwas/glob answers them, which Argo CD uses.
it.each<[string, string, boolean]>([
  ['*', '', true],
  ['*', 'a/b', true],
  ['*/*', 'a/b', true],
  ['*/*', 'ab', false],
  ['team-*/web', 'team-a/web', true],
  ['team-*/web', 'team-a/web2', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*bc*c', 'abc', false],
  ['ab*ba', 'aba', false],
  ['**/x', 'a/b/x', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['[ab]x', 'bx', true],
  ['[!ab]x', 'bx', false],
  ['[a-c]x', 'cx', true],
  ['{dev,prod}/*', 'prod/web', true],
  ['{dev,prod}/*', 'stage/web', false],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['action/apps/Deployment/*', 'action/apps/Deployment/restart', true],
  ['1.2', '1x2', false],
  ['{a', '{b', false],
])('%s on %s: %s', (pattern, text, expected) => {
  expect(matchesGlob(pattern, text)).toBe(expected);
});

it('single stars stop at a separator, double ones do not', () => {
  expect(matchesGlob('https://h/org/*', 'https://h/org/x', '/')).toBe(true);
  expect(matchesGlob('https://h/org/*', 'https://h/org/x/y', '/')).toBe(false);
  expect(matchesGlob('https://h/org/**', 'https://h/org/x/y', '/')).toBe(true);
  expect(matchesGlob('https://h/?', 'https://h//', '/')).toBe(false);
});

it('takes no longer for a pattern that was made to take long', () => {
  expect(matchesGlob(`${'*a'.repeat(60)}b`, 'a'.repeat(5000))).toBe(false);
  expect(matchesGlob(`${'*a'.repeat(40)}?b`, 'a'.repeat(2000))).toBe(false);
});
