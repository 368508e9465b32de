import type { RuntimeRow } from '@fairlead/contracts';
import { expect, it } from 'vitest';
import { answerOf } from './answer.ts';

const runtime = (name: string, status: RuntimeRow['status']): RuntimeRow => ({
  ...{ name, status, kind: 'hosted', createdAt: '', applications: 0 },
});

it('names the runtimes that are away', () => {
  expect(answerOf([runtime('eu', 'connected'), runtime('ap', 'offline'), runtime('us', 'pending')])).toBe(
    '1 of 3 runtimes is offline: ap. 1 runtime did not register yet: us.',
  );
  expect(answerOf([runtime('eu', 'connected'), runtime('us', 'connected')])).toBe('All 2 runtimes are connected.');
  expect(answerOf([])).toBe('No runtime is known yet.');
});
