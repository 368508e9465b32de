import type { DeploymentRow } from '@fairlead/contracts';
import { expect, it } from 'vitest';
import { besideMoment, momentOf } from './moments.ts';

const moments = [
  { at: '2026-01-01T10:00:09.400Z', revision: 'b' },
  { at: '2026-01-01T10:00:05.100Z', revision: 'b' },
  { at: '2026-01-01T10:00:01.000Z', revision: 'a' },
];
const deployment = (revision: string, finishedAt: string): DeploymentRow => ({
  ...{ id: 1, application: { runtime: 'eu', namespace: 'argocd', name: 'shop' }, revision, automated: true },
  ...{ images: { from: [], to: [] }, phase: 'Succeeded', startedAt: finishedAt, finishedAt },
});

it('stands at the first report after the deployment, though its end is told in whole seconds', () => {
  expect(momentOf(deployment('b', '2026-01-01T10:00:05Z'), moments)).toBe('2026-01-01T10:00:05.100Z');
  expect(momentOf(deployment('z', '2026-01-01T10:00:05Z'), moments)).toBe('2026-01-01T10:00:05Z');
});

it('finds the change before and the change after, and none beyond the ends', () => {
  expect(besideMoment('2026-01-01T10:00:06Z', moments)).toEqual({
    earlier: '2026-01-01T10:00:01.000Z',
    later: '2026-01-01T10:00:09.400Z',
  });
  expect(besideMoment('2026-01-01T09:00:00Z', moments)).toEqual({
    earlier: undefined,
    later: '2026-01-01T10:00:01.000Z',
  });
  expect(besideMoment('2026-01-01T11:00:00Z', moments).later).toBeUndefined();
});
