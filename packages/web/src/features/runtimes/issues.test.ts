import type { RuntimeRow } from '@fairlead/contracts';
import { expect, it } from 'vitest';
import { issuesOf } from './issues.ts';

const runtime: RuntimeRow = {
  ...{ name: 'eu', kind: 'hybrid', status: 'connected', createdAt: '', applications: 0 },
  report: {
    ...{ version: '1', engine: { kind: 'fairlead', version: '1' }, clusters: [] },
    components: [{ name: 'engine', version: '1', health: 'Healthy' }],
  },
};

it('has nothing to say of a runtime that is well', () => {
  expect(issuesOf({ runtime, clusters: [], gitSources: [] })).toEqual([]);
});

it('tells what is wrong in the words of who knows', () => {
  const at = { runtime: 'eu', changedAt: '', lastHeardAt: '' };
  const issues = issuesOf({
    runtime: { ...runtime, status: 'offline' },
    clusters: [
      ...[{ ...at, name: 'ap', server: 'https://ap', labels: {}, annotations: {}, applications: 0 }].map((cluster) => ({
        ...cluster,
        ...{ status: 'Failed' as const, message: 'connection refused' },
      })),
    ],
    gitSources: [],
  });
  expect(issues.map(({ title }) => title)).toEqual(['The tunnel of eu is down.', 'Cluster ap does not answer.']);
  expect(issues[1]?.detail).toBe('connection refused');
});
