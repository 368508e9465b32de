import { expect, it } from 'vitest';
import { KubeApiError } from './errors.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

const refused = (reason: string) => new KubeApiError({ status: 409, reason, message: reason });

function failing(times: number, error: Error) {
  let calls = 0;
  const work = async () => {
    if (++calls <= times) throw error;
    return calls;
  };
  return { work, calls: () => calls };
}

it('begins again until nobody came in between', async () => {
  expect(await retryOnConflict(failing(3, refused('Conflict')).work)).toBe(4);
});

it('gives up in the end, and says why', async () => {
  const { work, calls } = failing(Number.POSITIVE_INFINITY, refused('Conflict'));
  await expect(retryOnConflict(work)).rejects.toMatchObject({ reason: 'Conflict' });
  expect(calls()).toBe(11);
});

it('does nothing twice that failed for another reason, unless it is told to', async () => {
  const { work, calls } = failing(1, refused('AlreadyExists'));
  await expect(retryOnConflict(work)).rejects.toMatchObject({ reason: 'AlreadyExists' });
  expect(calls()).toBe(1);
  expect(await retryOnConflict(failing(1, refused('AlreadyExists')).work, { isStale: () => true })).toBe(2);
});
