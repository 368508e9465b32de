import { describe, expect, it } from 'vitest';
import { readChange, readPlanSearch } from './plan-queries.ts';

describe('readChange', () => {
  it.each([
    ['#12', { pullRequest: 12 }],
    ['!7', { pullRequest: 7 }],
    ['https://github.com/acme/shop/pull/31/files', { pullRequest: 31 }],
    ['https://gitlab.example.com/acme/shop/-/merge_requests/4', { pullRequest: 4 }],
    ['https://bitbucket.org/acme/shop/pull-requests/9', { pullRequest: 9 }],
    ['https://github.com/acme/shop/commit/9f3c1ab77', { to: '9f3c1ab77' }],
    ['https://github.com/acme/shop/tree/feature/new-look', { to: 'feature/new-look' }],
    ['feature/pull/12', { to: 'feature/pull/12' }],
    ['12', { to: '12' }],
    ['main', { to: 'main' }],
  ])('reads %s', (text, read) => expect(readChange(text)).toEqual(read));
});

describe('readPlanSearch', () => {
  it('drops what is empty or no text, and keeps a revision of digits only', () => {
    expect(readPlanSearch({ runtime: ' eu ', repo: '', change: 12, find: ['a'] })).toEqual({
      runtime: 'eu',
      change: '12',
    });
  });
});
