import { expect, it } from 'vitest';
import { tryCommits } from './read-sets.ts';

it('leaves byte-equal what a commit does not touch, and tells exactly what it changes', async () => {
  expect((await tryCommits(60)).commits).toBe(60);
});
