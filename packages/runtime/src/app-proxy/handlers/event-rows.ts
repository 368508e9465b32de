// Kubernetes events as the contract shows them. Both forms are read: the older one (`involvedObject`, `lastTimestamp`) and
// the newer one's fields where the older are empty.
import type { EventRow } from '@fairlead/contracts';

type Json = Readonly<Record<string, unknown>>;

const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const first = (...values: unknown[]): string => values.map(text).find((value) => value !== '') ?? '';

function eventRow(event: unknown): EventRow {
  const { type, reason, message, note, count, metadata, ...rest } = record(event);
  const series = record(rest['series']);
  const object = record(rest['involvedObject'] ?? rest['regarding']);
  const created = record(metadata)['creationTimestamp'];
  const firstSeen = first(rest['firstTimestamp'], rest['eventTime'], created);
  const lastSeen = first(rest['lastTimestamp'], series['lastObservedTime'], firstSeen);
  return {
    type: type === 'Warning' ? 'Warning' : 'Normal',
    reason: text(reason),
    message: first(message, note),
    count: Number(count ?? series['count'] ?? 1) || 1,
    ...(firstSeen ? { firstSeen } : {}),
    ...(lastSeen ? { lastSeen } : {}),
    source: first(record(rest['source'])['component'], rest['reportingComponent'], rest['reportingController']),
    object: { kind: text(object['kind']), namespace: text(object['namespace']), name: text(object['name']) },
  };
}

/**
 * The newest first. Servers list events by name, which ends in the nanosecond they were made at, and their times have seconds
 * only: of one second those listed last are the newest.
 */
export function eventRows(events: readonly unknown[]): EventRow[] {
  const latest = (row: EventRow) => row.lastSeen ?? '';
  return events
    .map(eventRow)
    .reverse()
    .sort((a, b) => latest(b).localeCompare(latest(a)));
}
