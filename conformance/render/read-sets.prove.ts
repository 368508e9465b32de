import { expect, it } from 'vitest';
import { tryCommits } from './read-sets.ts';

it('leaves byte-equal what a commit does not touch, and tells exactly what it changes, 10,000 times', async () => {
  expect((await tryCommits(10_000)).commits).toBe(10_000);
});
