import type { Application, ApplicationStatus } from '@fairlead/contracts';
import { expect, it } from 'vitest';
import { eventsBetween } from './application-events.ts';

const at = (status: unknown) =>
  ({ metadata: { name: 'web', namespace: 'argocd' }, spec: {}, status: status as ApplicationStatus }) as Application;
const told = (before: unknown, after: unknown) =>
  eventsBetween(at(before), at(after)).map(({ type, reason, message }) => `${type} ${reason} ${message}`);

const automated = { initiatedBy: { automated: true }, sync: { revision: 'abc' } };
const running = { operation: automated, phase: 'Running', startedAt: '2026-05-01T10:00:00Z' };
const ended = (over: object) => ({
  ...running,
  finishedAt: '2026-05-01T10:00:05Z',
  syncResult: { revision: 'abc' },
  ...over,
});

it('tells a first look, an automated sync and its end in the words of Argo CD', () => {
  const seen = { sync: { status: 'OutOfSync' }, health: { status: 'Missing' } };
  expect(told(undefined, { ...seen, operationState: running })).toEqual([
    "Normal OperationStarted Initiated automated sync to 'abc'",
    'Normal ResourceUpdated Updated sync status:  -> OutOfSync',
    'Normal ResourceUpdated Updated health status:  -> Missing',
  ]);
  const after = { sync: { status: 'Synced' }, health: { status: 'Missing' } };
  expect(
    told({ ...seen, operationState: running }, { ...after, operationState: ended({ phase: 'Succeeded' }) }),
  ).toEqual([
    'Normal OperationCompleted Sync operation to abc succeeded',
    'Normal ResourceUpdated Updated sync status: OutOfSync -> Synced',
  ]);
});

it('warns of a sync that failed, with its message, and tells a partial one apart', () => {
  const operation = { sync: { resources: [{ kind: 'Service', name: 'web' }] } };
  const failed = ended({ operation, phase: 'Failed', message: 'one or more objects failed to apply' });
  expect(told({ operationState: running }, { operationState: failed })).toEqual([
    'Warning OperationCompleted Partial sync operation to abc failed: one or more objects failed to apply',
  ]);
});

it('says nothing of a sync that a person began, which the server tells, nor of what is known', () => {
  const manual = { ...running, operation: { sync: {} } };
  expect(told({}, { operationState: manual })).toEqual([]);
  const over = { operationState: ended({ phase: 'Succeeded' }) };
  expect(told(over, over)).toEqual([]);
});
