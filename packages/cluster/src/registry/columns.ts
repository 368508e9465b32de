// What `kubectl get` shows: cells are computed here, as a real API server does, and sent as a Table.
import { isRecord, listAt, numberAt, recordAt, stringAt, valueAt } from '@fairlead/kube/object';
import type { Column } from './resource-type.ts';

type Value = Column['value'];

export const column = (name: string, value: Value, options: Partial<Column> = {}): Column => ({
  name,
  type: 'string',
  priority: 0,
  value,
  ...options,
});
export const wide = (name: string, value: Value): Column => column(name, value, { priority: 1 });
export const integer = (name: string, value: Value): Column => column(name, value, { type: 'integer' });

export const nameColumn: Column = column('Name', (object) => object.metadata.name, {
  format: 'name',
  description: 'Name must be unique within a namespace.',
});
export const ageColumn: Column = column('Age', (object, { nowMs }) => ageOf(object.metadata.creationTimestamp, nowMs));

export function ageOf(timestamp: unknown, nowMs: number): string {
  if (typeof timestamp !== 'string') return '<unknown>';
  return humanDuration(Math.max(0, nowMs - Date.parse(timestamp)));
}

/** As Kubernetes shortens durations: two units while the larger is small, then one. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return withRest(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
}

const withRest = (value: number, unit: string, rest: number, restUnit: string) =>
  rest === 0 ? `${value}${unit}` : `${value}${unit}${rest}${restUnit}`;

const containers = (value: unknown, ...path: string[]) => listAt(value, ...path).filter(isRecord);
export const containerNames =
  (...path: string[]): Value =>
  (object) =>
    containers(object, ...path)
      .map((container) => container['name'])
      .join(',');
export const containerImages =
  (...path: string[]): Value =>
  (object) =>
    containers(object, ...path)
      .map((container) => container['image'])
      .join(',');
export const labelsText =
  (...path: string[]): Value =>
  (object) => {
    const pairs = Object.entries(recordAt(object, ...path)).map(([key, value]) => `${key}=${String(value)}`);
    return pairs.length === 0 ? '<none>' : pairs.join(',');
  };
export const at =
  (...path: string[]): Value =>
  (object) =>
    valueAt(object, ...path);
export const textAt =
  (...path: string[]): Value =>
  (object) =>
    stringAt(object, ...path) ?? '<none>';
export const numberOr =
  (fallback: number, ...path: string[]): Value =>
  (object) =>
    numberAt(object, ...path) ?? fallback;
export const ratio =
  (top: readonly string[], bottom: readonly string[]): Value =>
  (object) =>
    `${numberAt(object, ...top) ?? 0}/${numberAt(object, ...bottom) ?? 0}`;
export const sizeOf =
  (...path: string[]): Value =>
  (object) =>
    Object.keys(recordAt(object, ...path)).length;
