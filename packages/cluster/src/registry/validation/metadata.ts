// Labels, annotations, finalizers and owners: the same for every kind.
import type { KubeObject } from '@fairlead/kube/object';
import type { FieldError, ResourceType } from '../resource-type.ts';
import { keyProblem } from './rules.ts';

const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const annotationsLimitBytes = 256 * 1024;

export function validateMetadata({ isBuiltIn }: ResourceType, object: KubeObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(object.metadata.labels ?? {})) {
    if (typeof value !== 'string' || value.length > 63 || !labelValue.test(value)) {
      const message =
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
      errors.push({ type: 'Invalid', field: 'metadata.labels', message, value: key ? value : '' });
    }
  }
  for (const [member, field] of [
    [object.metadata.labels, 'metadata.labels'],
    [object.metadata.annotations, 'metadata.annotations'],
  ] as const) {
    for (const key of Object.keys(member ?? {})) {
      const message = keyProblem(field === 'metadata.annotations' ? key.toLowerCase() : key);
      if (message !== undefined) errors.push({ type: 'Invalid', field, message, value: key });
    }
  }
  for (const [index, name] of (object.metadata.finalizers ?? []).entries()) {
    // Custom kinds are only warned of: many of their finalizers are older than the rule.
    if (!isBuiltIn || name.includes('/') || standardFinalizers.includes(name)) continue;
    const message = 'name is neither a standard finalizer name nor is it fully qualified';
    errors.push({ type: 'Invalid', field: `metadata.finalizers[${index}]`, message, value: name });
  }
  errors.push(...ownerErrors(object));
  const annotations = Object.entries(object.metadata.annotations ?? {});
  const bytes = annotations.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(String(value)), 0);
  if (bytes > annotationsLimitBytes) {
    errors.push({
      type: 'TooLong',
      field: 'metadata.annotations',
      message: `may not be more than ${annotationsLimitBytes} bytes`,
    });
  }
  return errors;
}

/** What is being deleted may be held no longer than it already is. */
export function validateFinalizers(
  { isBuiltIn }: ResourceType,
  next: KubeObject,
  { metadata }: KubeObject,
): readonly FieldError[] {
  if (!metadata.deletionTimestamp) return [];
  const added = (next.metadata.finalizers ?? []).filter((name) => !metadata.finalizers?.includes(name));
  if (added.length === 0) return [];
  const shown = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`;
  const message = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  const error: FieldError = { type: 'Forbidden', field: 'metadata.finalizers', message };
  // Built-in kinds are asked twice, once for all kinds and once for their own.
  return isBuiltIn ? [error, error] : [error];
}

const standardFinalizers = ['orphan', 'foregroundDeletion', 'kubernetes'];

function ownerErrors({ metadata: { ownerReferences = [] } }: KubeObject): FieldError[] {
  const at = 'metadata.ownerReferences';
  const controllers = ownerReferences.filter(({ controller }) => controller === true);
  const [first, second] = controllers;
  return [
    ...ownerReferences
      .filter(({ uid }) => !uid)
      .map(
        ({ uid }): FieldError => ({
          type: 'Invalid',
          field: `${at}.uid`,
          message: 'uid must not be empty',
          value: uid,
        }),
      ),
    ...(first && second
      ? [
          {
            type: 'Invalid' as const,
            field: at,
            message: `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`,
            value: ownerReferences,
          },
        ]
      : []),
  ];
}
