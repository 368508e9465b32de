// What Argo CD tells as Kubernetes Events of an Application, in its words: people read them with `kubectl describe`, and
// programs by their reasons. Pure: one write of an Application in, the events it makes out.
import type { Application, OperationState } from '@fairlead/contracts';
import { revisionsIn } from '../application/index.ts';

export const eventReasons = [
  'ResourceCreated',
  'ResourceUpdated',
  'ResourceDeleted',
  'ResourceActionRan',
  'OperationStarted',
  'OperationCompleted',
] as const;
export type EventReason = (typeof eventReasons)[number];

export interface ApplicationEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: EventReason;
  readonly message: string;
  /** Who did it, where a person did. */
  readonly user?: string;
}

/** By the two states of an Application, before and after a write of the controller. */
export function eventsBetween(before: Application, after: Application): ApplicationEvent[] {
  return [
    ...operationEvents(before.status?.operationState, after.status?.operationState),
    ...changeOf('sync', before.status?.sync?.status, after.status?.sync?.status),
    ...changeOf('health', before.status?.health?.status, after.status?.health?.status),
  ];
}

function changeOf(what: 'sync' | 'health', before = '', after = ''): ApplicationEvent[] {
  if (before === after) return [];
  return [{ type: 'Normal', reason: 'ResourceUpdated', message: `Updated ${what} status: ${before} -> ${after}` }];
}

function operationEvents(before: OperationState | undefined, after: OperationState | undefined): ApplicationEvent[] {
  if (!after) return [];
  const isNew = before?.startedAt !== after.startedAt;
  const events: ApplicationEvent[] = [];
  if (isNew && after.operation?.initiatedBy?.automated) events.push(started(after));
  if (after.finishedAt && (isNew || !before?.finishedAt)) events.push(completed(after));
  return events;
}

function started({ operation }: OperationState): ApplicationEvent {
  const to = revisionsIn(operation?.sync).join(', ');
  return { type: 'Normal', reason: 'OperationStarted', message: `Initiated automated sync to '${to}'` };
}

function completed({ operation, phase, message, syncResult }: OperationState): ApplicationEvent {
  const what = operation?.sync?.resources?.length ? 'Partial sync operation' : 'Sync operation';
  const to = syncResult ? ` to ${syncResult.revision ?? ''}` : '';
  const isWell = phase === 'Succeeded';
  const end = isWell ? 'succeeded' : `failed: ${message ?? ''}`;
  return { type: isWell ? 'Normal' : 'Warning', reason: 'OperationCompleted', message: `${what}${to} ${end}` };
}
