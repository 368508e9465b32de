// ConfigMap and Secret.
import { equalJson, type KubeObject, recordAt } from '@fairlead/kube/object';
import type { FieldError } from '../resource-type.ts';
import { required } from './rules.ts';

const dataKey = /^[-._a-zA-Z0-9]+$/;
const dataLimitBytes = 1024 * 1024;
const dataKeyMessage =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export function validateConfigMap(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const entries = [...Object.entries(recordAt(object, 'data')), ...Object.entries(recordAt(object, 'binaryData'))];
  const bytes = entries.reduce((sum, [, value]) => sum + Buffer.byteLength(String(value)), 0);
  return [
    ...keyErrors(entries.map(([key]) => key)),
    ...(bytes > dataLimitBytes
      ? [{ type: 'TooLong' as const, field: '[]', message: `may not be more than ${dataLimitBytes} bytes` }]
      : []),
    ...validateImmutable(object, previous),
  ];
}

const keyErrors = (keys: readonly string[]): FieldError[] =>
  keys
    .filter((key) => !dataKey.test(key))
    .map((key) => ({ type: 'Invalid', field: `data[${key}]`, message: dataKeyMessage, value: key }));

export function validateSecret(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const { type } = object;
  const isChanged = previous && previous['type'] !== type;
  const key = type === 'kubernetes.io/dockerconfigjson' ? '.dockerconfigjson' : undefined;
  return [
    ...(key !== undefined && recordAt(object, 'data')[key] === undefined ? [required(`data[${key}]`)] : []),
    ...keyErrors(Object.keys(recordAt(object, 'data'))),
    ...(isChanged ? [{ type: 'Invalid' as const, field: 'type', message: 'field is immutable', value: type }] : []),
    ...validateImmutable(object, previous),
  ];
}

/** Config maps and secrets may be sealed. */
function validateImmutable(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  if (previous?.['immutable'] !== true) return [];
  const message = 'field is immutable when `immutable` is set';
  const isChanged = (member: string) => !equalJson(object[member], previous[member]);
  return ['immutable', 'data', 'binaryData']
    .filter(isChanged)
    .map((field): FieldError => ({ type: 'Forbidden', field, message }));
}
