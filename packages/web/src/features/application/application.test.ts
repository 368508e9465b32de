import type { ApplicationDetail, OperationReport, ResourceReport } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { answerOf } from './answer.ts';
import { followOperation, previewSync, rememberLast } from './sync-preview.ts';

const nowMs = Date.parse('2026-01-01T00:05:00Z');
const resource = (change: Partial<ResourceReport>): ResourceReport => ({
  ...{ group: '', version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'cm' },
  ...change,
});

function answer(row: object, report: object = {}): string {
  const detail = {
    row: { health: { status: 'Healthy' }, sync: { status: 'Synced' }, note: '', ...row },
    report: { resources: [], tree: [], conditions: [], ...report },
  } as unknown as ApplicationDetail; // only what the answer reads
  const { lead, rest } = answerOf(detail, nowMs);
  return `${lead} ${rest}`.trim();
}

describe('the answer of an application', () => {
  const degraded = { status: 'Degraded', lastTransitionTime: '2026-01-01T00:00:00Z' };

  it('says why and since when it is degraded', () => {
    expect(answer({ health: { ...degraded, message: '2 of 4 pods cannot pull their image' } })).toBe(
      'Degraded for 5 minutes: 2 of 4 pods cannot pull their image',
    );
  });

  it('takes the reason from the resource when the application has none', () => {
    const tree = [{ kind: 'Pod', name: 'web-1', health: { status: 'Degraded', message: 'ImagePullBackOff' } }];
    expect(answer({ health: degraded }, { tree })).toBe('Degraded for 5 minutes: Pod web-1: ImagePullBackOff');
    expect(answer({ health: { status: 'Degraded' } })).toBe('Degraded.');
  });

  it('says what differs when only sync is wrong', () => {
    const resources = [resource({ sync: 'OutOfSync' }), resource({ sync: 'Synced' })];
    expect(answer({ sync: { status: 'OutOfSync' } }, { resources })).toBe(
      'Healthy, but out of sync: 1 resource differs from Git.',
    );
    const conditions = [{ type: 'ComparisonError', message: 'repository not found' }];
    expect(answer({ sync: { status: 'Unknown' } }, { conditions })).toContain('repository not found');
  });

  it('says with which revision all is well', () => {
    const sync = { status: 'Synced', revision: '9f3c1ab000000000000000000000000000000000' };
    expect(answer({ sync })).toBe('Healthy and in sync with 9f3c1ab.');
  });
});

describe('what a synchronization would do', () => {
  it('tells new from changed from what is only in the cluster, and leaves hooks out', () => {
    const live = 'a'.repeat(64);
    const preview = previewSync([
      resource({ name: 'new', sync: 'OutOfSync' }),
      resource({ name: 'changed', sync: 'OutOfSync', live }),
      resource({ name: 'same', sync: 'Synced', live }),
      resource({ name: 'gone', sync: 'OutOfSync', requiresPruning: true, live }),
      resource({ name: 'hook', sync: 'OutOfSync', hook: true }),
    ]);
    expect(Object.values(preview).map((list: readonly ResourceReport[]) => list.map(({ name }) => name))).toEqual([
      ['new'],
      ['changed'],
      ['gone'],
    ]);
  });
});

describe('following an operation', () => {
  const operation = (change: Partial<OperationReport>): OperationReport => ({
    ...{ phase: 'Running', startedAt: '2026-01-01T00:05:00Z', results: [] },
    ...change,
  });

  const asked = (row: object | undefined, report: OperationReport | undefined) =>
    rememberLast({ row: { operation: row }, report: { operation: report } } as unknown as ApplicationDetail); // what it reads
  const before = operation({ phase: 'Succeeded', startedAt: '2026-01-01T00:00:00Z' });

  it('waits until an operation shows that was not there before', () => {
    expect(followOperation(asked(before, before), before).stage).toBe('waiting');
    expect(followOperation(asked(undefined, undefined), undefined).stage).toBe('waiting');
    expect(followOperation(asked(undefined, undefined), operation({})).stage).toBe('running');
    expect(followOperation(asked(before, before), operation({})).stage).toBe('running');
    expect(followOperation(asked(before, before), operation({ phase: 'Failed' })).stage).toBe('finished');
  });

  it('does not take a report that lags behind the row for the new operation', () => {
    const newer = operation({ phase: 'Succeeded', startedAt: '2026-01-01T00:03:00Z' });
    expect(followOperation(asked(newer, before), before).stage).toBe('waiting');
    expect(followOperation(asked(newer, before), newer).stage).toBe('waiting');
  });

  it('sees an operation that began in the same second as the one before', () => {
    const sameSecond = operation({ phase: 'Succeeded', startedAt: before.startedAt, initiatedBy: 'admin' });
    expect(followOperation(asked(before, before), sameSecond).stage).toBe('finished');
  });
});
