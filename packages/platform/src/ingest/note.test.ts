import type { ApplicationReport, ResourceReport, TreeNodeReport } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { sampleReport } from '../testing.ts';
import { noteOf } from './note.ts';
import { attentionOf } from './projection.ts';

const resource = (over: Partial<ResourceReport>): ResourceReport => ({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  namespace: 'x',
  name: 'guestbook',
  ...over,
});
const node = (over: Partial<TreeNodeReport>): TreeNodeReport => ({
  uid: '1',
  group: '',
  version: 'v1',
  kind: 'Pod',
  namespace: 'x',
  name: 'guestbook-1',
  parents: [],
  ...over,
});
const operation = (over: Partial<NonNullable<ApplicationReport['operation']>>) => ({
  phase: 'Running' as const,
  startedAt: '2026-01-01T00:00:00Z',
  results: [],
  ...over,
});

const cases: [string, Partial<ApplicationReport>, string][] = [
  ['nothing when all is well', {}, ''],
  [
    'an error condition first',
    { conditions: [{ type: 'ComparisonError', message: 'repository\n not found' }] },
    'ComparisonError: repository not found',
  ],
  [
    'why a rollout waits',
    {
      health: { status: 'Progressing' },
      resources: [resource({ health: { status: 'Progressing', message: '1 of 2 updated' } })],
    },
    'Deployment guestbook: 1 of 2 updated',
  ],
  [
    'the pod that knows the reason, even while progressing',
    {
      health: { status: 'Progressing' },
      resources: [resource({ health: { status: 'Progressing', message: '1 of 2 updated' } })],
      tree: [node({ health: { status: 'Degraded', message: 'ImagePullBackOff: no such image' } })],
    },
    'Pod guestbook-1: ImagePullBackOff: no such image',
  ],
  ['a failed sync', { operation: operation({ phase: 'Failed', message: 'hook failed' }) }, 'Sync failed: hook failed'],
  ['a running sync', { operation: operation({ message: 'waiting for hooks' }) }, 'Syncing: waiting for hooks'],
  [
    'how much differs',
    {
      sync: { status: 'OutOfSync' },
      resources: [resource({ sync: 'OutOfSync' }), resource({ name: 'b', sync: 'Synced' })],
    },
    '1 of 2 resources differ from Git',
  ],
  ['that it is going away', { deletingSince: '2026-01-01T00:00:00Z' }, 'Being deleted'],
];

describe('the note of an application', () => {
  it.each(cases)('says %s', (_, over, note) => {
    expect(noteOf(sampleReport('a', over))).toBe(note);
  });
});

describe('attention', () => {
  it('orders what needs a person before what is under way before what is well', () => {
    const ranked: Partial<ApplicationReport>[] = [
      { health: { status: 'Degraded' } },
      { operation: operation({ phase: 'Failed' }) },
      { health: { status: 'Missing' } },
      { health: { status: 'Unknown' } },
      { sync: { status: 'OutOfSync' } },
      { health: { status: 'Progressing' } },
      { health: { status: 'Suspended' } },
      {},
    ];
    const ranks = ranked.map((over) => attentionOf(sampleReport('a', over)));
    expect(ranks).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
