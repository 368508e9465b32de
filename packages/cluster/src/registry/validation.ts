// Rules that a stored object keeps. Each returns what is wrong, in Kubernetes' words.
import {
  equalJson,
  isRecord,
  type KubeObject,
  listAt,
  matchesSelector,
  recordAt,
  selectorOf,
  stringAt,
} from '@fairlead/kube/object';
import type { FieldError, ResourceType } from './resource-type.ts';

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

export function validateName(name: string, rule: ResourceType['names']): readonly FieldError[] {
  const invalid = (message: string): FieldError => ({ type: 'Invalid', field: 'metadata.name', message, value: name });
  if (rule === 'path') {
    const isBad = name === '.' || name === '..' || /[/%]/.test(name);
    return isBad ? [invalid("may not be '.' or '..', nor contain '/' or '%'")] : [];
  }
  const limit = rule === 'label' ? 63 : 253;
  if (name.length > limit) return [invalid(`must be no more than ${limit} characters`)];
  if (!(rule === 'label' ? label : subdomain).test(name))
    return [invalid(rule === 'label' ? labelMessage : subdomainMessage)];
  return [];
}

const annotationsLimitBytes = 256 * 1024;

export function validateMetadata(object: KubeObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(object.metadata.labels ?? {})) {
    if (typeof value !== 'string' || value.length > 63 || !labelValue.test(value)) {
      const message =
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
      errors.push({ type: 'Invalid', field: 'metadata.labels', message, value: key ? value : '' });
    }
  }
  const annotations = Object.entries(object.metadata.annotations ?? {});
  const bytes = annotations.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(String(value)), 0);
  if (bytes > annotationsLimitBytes) {
    errors.push({
      type: 'Invalid',
      field: 'metadata.annotations',
      message: `Too long: may not be more than ${annotationsLimitBytes} bytes`,
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

const required = (field: string, message = ''): FieldError => ({ type: 'Required', field, message });

export function validatePodSpec(spec: unknown, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const containers = listAt(spec, 'containers');
  if (containers.length === 0) errors.push(required(`${field}.containers`));
  const seen = new Set<unknown>();
  for (const [index, container] of containers.entries()) {
    const at = `${field}.containers[${index}]`;
    const name = stringAt(container, 'name');
    if (!name) errors.push(required(`${at}.name`));
    else if (!label.test(name))
      errors.push({ type: 'Invalid', field: `${at}.name`, message: labelMessage, value: name });
    if (seen.has(name)) errors.push({ type: 'Invalid', field: `${at}.name`, message: 'Duplicate value', value: name });
    seen.add(name);
    if (!stringAt(container, 'image')) errors.push(required(`${at}.image`));
  }
  return errors;
}

export function validatePod(pod: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  if (previous) return [];
  return validatePodSpec(pod['spec'], 'spec');
}

/** Selector present, immutable and matching the template's labels. */
export function validateWorkload(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = recordAt(object, 'spec');
  const selector = spec['selector'];
  if (!isRecord(selector)) errors.push(required('spec.selector'));
  else {
    const labels = recordAt(spec, 'template', 'metadata', 'labels') as Record<string, string>; // label values are strings on the wire
    if (!matchesSelector(selectorOf(selector), labels)) {
      const message = '`selector` does not match template `labels`';
      errors.push({ type: 'Invalid', field: 'spec.template.metadata.labels', message, value: labels });
    }
    if (previous && !equalJson(recordAt(previous, 'spec')['selector'], selector)) {
      errors.push({ type: 'Invalid', field: 'spec.selector', message: 'field is immutable', value: selector });
    }
  }
  if (typeof spec['replicas'] === 'number' && spec['replicas'] < 0) {
    errors.push({
      type: 'Invalid',
      field: 'spec.replicas',
      message: 'must be greater than or equal to 0',
      value: spec['replicas'],
    });
  }
  return [...errors, ...validatePodSpec(recordAt(spec, 'template')['spec'], 'spec.template.spec')];
}

export function validateService(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  const errors: FieldError[] = [];
  const isHeadless = spec['clusterIP'] === 'None';
  if (listAt(spec, 'ports').length === 0 && spec['type'] !== 'ExternalName' && !isHeadless)
    errors.push(required('spec.ports'));
  const before = previous && stringAt(previous, 'spec', 'clusterIP');
  if (before && spec['type'] !== 'ExternalName' && spec['clusterIP'] !== before) {
    errors.push({
      type: 'Invalid',
      field: 'spec.clusterIPs[0]',
      message: 'may not change once set',
      value: spec['clusterIP'],
    });
  }
  return errors;
}

/** Config maps and secrets may be sealed. */
export function validateImmutable(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  if (previous?.['immutable'] !== true) return [];
  const isSame = equalJson(object['data'], previous['data']) && equalJson(object['binaryData'], previous['binaryData']);
  if (isSame && object['immutable'] === true) return [];
  return [{ type: 'Forbidden', field: 'data', message: 'field is immutable when `immutable` is set' }];
}

export function validateRoleRef(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  if (!previous || equalJson(object['roleRef'], previous['roleRef'])) return [];
  return [{ type: 'Invalid', field: 'roleRef', message: 'cannot change roleRef', value: object['roleRef'] }];
}

export function validateCustomResourceDefinition(object: KubeObject): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  const errors: FieldError[] = [];
  for (const path of [['group'], ['scope'], ['names', 'plural'], ['names', 'kind']]) {
    if (!stringAt(spec, ...path)) errors.push(required(`spec.${path.join('.')}`));
  }
  const versions = listAt(spec, 'versions').filter(isRecord);
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    const message = 'must have exactly one version marked as storage version';
    errors.push({
      type: 'Invalid',
      field: 'spec.versions',
      message,
      value: versions.map((version) => version['name']),
    });
  }
  const expected = `${stringAt(spec, 'names', 'plural')}.${stringAt(spec, 'group')}`;
  if (object.metadata.name !== expected) {
    const message = 'must be spec.names.plural+"."+spec.group';
    errors.push({ type: 'Invalid', field: 'metadata.name', message, value: object.metadata.name });
  }
  return errors;
}
