// Rules that a stored object keeps. Each returns what is wrong, in Kubernetes' words.
import {
  equalJson,
  isRecord,
  type KubeObject,
  listAt,
  matchesSelector,
  numberAt,
  recordAt,
  selectorOf,
  stringAt,
} from '@fairlead/kube/object';
import { scheduleProblem, zoneOffset } from '../schedule/index.ts';
import { ruleProblem } from '../schema/index.ts';
import { portNumber, validatePodSpec } from './pod-validation.ts';
import type { FieldError, ResourceType } from './resource-type.ts';
import {
  isLabel,
  isSubdomain,
  keyProblem,
  labelMessage,
  notNegative,
  required,
  subdomainMessage,
  unsupported,
} from './rules.ts';

const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const dns1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const dns1035Message =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** A name that the server completes is checked as it was given, too. */
export function validateNewName(
  { name, generateName = '' }: KubeObject['metadata'],
  rule: ResourceType['names'],
): readonly FieldError[] {
  const prefix = generateName === '' ? [] : validateName(generateName.replace(/-$/, 'a'), rule);
  return [
    ...prefix.map((error) => ({ ...error, field: 'metadata.generateName', value: generateName })),
    ...validateName(name, rule),
  ];
}

function validateName(name: string, rule: ResourceType['names']): readonly FieldError[] {
  const invalid = (message: string): FieldError => ({ type: 'Invalid', field: 'metadata.name', message, value: name });
  if (rule === 'path') {
    const isBad = name === '.' || name === '..' || /[/%]/.test(name);
    return isBad ? [invalid("may not be '.' or '..', nor contain '/' or '%'")] : [];
  }
  if (rule === 'service')
    return dns1035.test(name) && name.length <= 63
      ? []
      : [invalid(name.length > 63 ? 'must be no more than 63 characters' : dns1035Message)];
  const limit = rule === 'label' ? 63 : 253;
  if (rule === 'label' && name.includes('.')) return [invalid('must not contain dots')];
  if (name.length > limit) return [invalid(`must be no more than ${limit} characters`)];
  if (!(rule === 'label' ? isLabel : isSubdomain)(name))
    return [invalid(rule === 'label' ? labelMessage : subdomainMessage)];
  return [];
}

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

export function validatePod(pod: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  return previous ? podUpdateErrors(pod, previous) : validatePodSpec(pod['spec'], 'spec');
}

const podUpdateRule =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** A pod is what it is; only a few of its fields may change once it is there. Where it runs is told once. */
function podUpdateErrors(pod: KubeObject, previous: KubeObject): readonly FieldError[] {
  const [next, before] = [recordAt(pod, 'spec'), recordAt(previous, 'spec')];
  const fixed = (spec: Record<string, unknown>) => {
    const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, nodeName, ...rest } = spec;
    const withoutImages = (list: string) =>
      listAt(spec, list).map((container) => ({ ...recordAt(container), image: '' }));
    const place = before['nodeName'] ? { nodeName } : {};
    return {
      ...rest,
      ...place,
      containers: withoutImages('containers'),
      initContainers: withoutImages('initContainers'),
    };
  };
  const kept = listAt(next, 'tolerations');
  const hasLost = listAt(before, 'tolerations').some((one) => !kept.some((other) => equalJson(one, other)));
  if (!hasLost && equalJson(fixed(next), fixed(before))) return [];
  return [{ type: 'Forbidden', field: 'spec', message: podUpdateRule }];
}

/** Selector present, immutable and matching the template's labels. */
export function validateWorkload(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  const template = recordAt(spec, 'template');
  const policy = stringAt(template, 'spec', 'restartPolicy');
  return [
    ...notNegative(spec['replicas'], 'spec.replicas'),
    ...selectorErrors(object, previous),
    ...strategyErrors(object),
    ...validatePodSpec(template['spec'], 'spec.template.spec'),
    ...(policy === 'Never' || policy === 'OnFailure'
      ? [unsupported('spec.template.spec.restartPolicy', policy, ['Always'])]
      : []),
  ];
}

function selectorErrors(object: KubeObject, previous: KubeObject | undefined): FieldError[] {
  const spec = recordAt(object, 'spec');
  const { selector } = spec;
  const labels = recordAt(spec, 'template', 'metadata', 'labels') as Record<string, string>; // label values are strings on the wire
  const mismatch: FieldError = {
    type: 'Invalid',
    field: 'spec.template.metadata.labels',
    message: '`selector` does not match template `labels`',
    shown: goMap(labels),
  };
  if (!isRecord(selector)) return [required('spec.selector'), mismatch];
  const parsed = selectorOf(selector);
  if (parsed.length === 0) {
    const message = `empty selector is invalid for ${object.kind.toLowerCase()}`;
    return [{ type: 'Invalid', field: 'spec.selector', message, value: selector }];
  }
  const isChanged = previous && !equalJson(recordAt(previous, 'spec')['selector'], selector);
  return [
    ...(matchesSelector(parsed, labels) ? [] : [mismatch]),
    ...(isChanged
      ? [
          {
            type: 'Invalid' as const,
            field: 'spec.selector',
            message: 'field is immutable',
            shown: goSelector(selector),
          },
        ]
      : []),
  ];
}

/** As Go prints a map of strings. */
const goMap = (labels: Readonly<Record<string, string>>) => {
  const pairs = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return pairs.length === 0 ? 'map[string]string(nil)' : `map[string]string{${pairs.join(', ')}}`;
};

function goSelector(selector: Record<string, unknown>): string {
  const labels = goMap(recordAt(selector, 'matchLabels') as Record<string, string>); // strings on the wire
  const expressions = listAt(selector, 'matchExpressions').map((expression) => {
    const { key, operator, values } = recordAt(expression);
    const list = Array.isArray(values)
      ? `[]string{${values.map((one) => JSON.stringify(one)).join(', ')}}`
      : '[]string(nil)';
    return `v1.LabelSelectorRequirement{Key:${JSON.stringify(key)}, Operator:${JSON.stringify(operator)}, Values:${list}}`;
  });
  const type = '[]v1.LabelSelectorRequirement';
  const shown = expressions.length === 0 ? `${type}(nil)` : `${type}{${expressions.join(', ')}}`;
  return `v1.LabelSelector{MatchLabels:${labels}, MatchExpressions:${shown}}`;
}

function strategyErrors(object: KubeObject): FieldError[] {
  if (object.kind !== 'Deployment') return [];
  const strategy = recordAt(object, 'spec', 'strategy');
  const { type, rollingUpdate } = strategy;
  const isZero = (value: unknown) => value === 0 || value === '0%' || value === '0';
  if (type !== 'Recreate' && type !== 'RollingUpdate') {
    return [unsupported('spec.strategy', strategy, ['Recreate', 'RollingUpdate'])];
  }
  if (type === 'Recreate' && rollingUpdate !== undefined) {
    const message = "may not be specified when strategy `type` is 'Recreate'";
    return [{ type: 'Forbidden', field: 'spec.strategy.rollingUpdate', message }];
  }
  const { maxSurge, maxUnavailable } = recordAt(rollingUpdate);
  if (type !== 'RollingUpdate' || !isZero(maxSurge) || !isZero(maxUnavailable)) return [];
  const field = 'spec.strategy.rollingUpdate.maxUnavailable';
  return [{ type: 'Invalid', field, message: 'may not be 0 when `maxSurge` is 0', value: {} }];
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

export function validateStatefulSet(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const fixed = (value: KubeObject) =>
    Object.fromEntries(Object.entries(recordAt(value, 'spec')).filter(([name]) => !changeable.includes(name)));
  if (!previous || equalJson(fixed(object), fixed(previous))) return validateWorkload(object, previous);
  const names = changeable.map((name) => `'${name}'`);
  const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const message = `updates to statefulset spec for fields other than ${listed} are forbidden`;
  return [...validateWorkload(object, undefined), { type: 'Forbidden', field: 'spec', message }];
}

export function validateJob(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  const policy = stringAt(spec, 'template', 'spec', 'restartPolicy');
  const field = 'spec.template.spec.restartPolicy';
  const before = previous && recordAt(previous, 'spec');
  const isIndexed = spec['completionMode'] === 'Indexed';
  const changed = ['completions', 'selector', 'template', 'completionMode', 'podFailurePolicy', 'backoffLimitPerIndex']
    // The pods of an indexed job may become more or fewer together with those that run at a time.
    .filter((name) => !(name === 'completions' && isIndexed && spec['completions'] === spec['parallelism']))
    // A job that waits may still be changed where its pods would run.
    .filter((name) => !(name === 'template' && before?.['suspend'] === true && !numberAt(object, 'status', 'active')))
    .filter((name) => before && !equalJson(before[name], spec[name]));
  return [
    ...notNegative(spec['parallelism'], 'spec.parallelism'),
    ...notNegative(spec['completions'], 'spec.completions'),
    ...notNegative(spec['backoffLimit'], 'spec.backoffLimit'),
    ...validatePodSpec(recordAt(spec, 'template')['spec'], 'spec.template.spec'),
    ...(policy === 'Always' ? [required(field, 'valid values: "OnFailure", "Never"')] : []),
    ...changed.map(
      (name): FieldError => ({
        type: 'Invalid',
        field: `spec.${name}`,
        message: 'field is immutable',
        ...(spec[name] === undefined ? { shown: 'null' } : { value: spec[name] }),
      }),
    ),
  ];
}

export function validateCronJob(object: KubeObject): readonly FieldError[] {
  const schedule = stringAt(object, 'spec', 'schedule') ?? '';
  if (schedule === '') return [required('spec.schedule')];
  const policy = stringAt(object, 'spec', 'concurrencyPolicy') ?? 'Allow';
  const zone = stringAt(object, 'spec', 'timeZone');
  const restart = stringAt(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'restartPolicy');
  const restartField = 'spec.jobTemplate.spec.template.spec.restartPolicy';
  const problem = scheduleProblem(schedule);
  const template = recordAt(object, 'spec', 'jobTemplate', 'spec', 'template');
  return [
    ...(problem === undefined
      ? []
      : [{ type: 'Invalid' as const, field: 'spec.schedule', message: problem, value: schedule }]),
    ...(zone === undefined || zoneOffset(zone)
      ? []
      : [{ type: 'Invalid' as const, field: 'spec.timeZone', message: `unknown time zone ${zone}`, value: zone }]),
    ...(policies.includes(policy) ? [] : [unsupported('spec.concurrencyPolicy', policy, policies)]),
    ...validatePodSpec(template['spec'], 'spec.jobTemplate.spec.template.spec'),
    ...(restart === 'Always' ? [required(restartField, 'valid values: "OnFailure", "Never"')] : []),
  ];
}

const policies = ['Allow', 'Forbid', 'Replace'];

const dataKey = /^[-._a-zA-Z0-9]+$/;
const dataLimitBytes = 1024 * 1024;
const dataKeyMessage =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export function validateConfigMap(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const entries = [...Object.entries(recordAt(object, 'data')), ...Object.entries(recordAt(object, 'binaryData'))];
  const bytes = entries.reduce((sum, [, value]) => sum + Buffer.byteLength(String(value)), 0);
  return [
    ...entries
      .filter(([key]) => !dataKey.test(key))
      .map(([key]): FieldError => ({ type: 'Invalid', field: `data[${key}]`, message: dataKeyMessage, value: key })),
    ...(bytes > dataLimitBytes
      ? [{ type: 'TooLong' as const, field: '[]', message: `may not be more than ${dataLimitBytes} bytes` }]
      : []),
    ...validateImmutable(object, previous),
  ];
}

export function validateSecret(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const { type } = object;
  const isChanged = previous && previous['type'] !== type;
  const key = type === 'kubernetes.io/dockerconfigjson' ? '.dockerconfigjson' : undefined;
  return [
    ...(key !== undefined && recordAt(object, 'data')[key] === undefined ? [required(`data[${key}]`)] : []),
    ...(isChanged ? [{ type: 'Invalid' as const, field: 'type', message: 'field is immutable', value: type }] : []),
    ...validateImmutable(object, previous),
  ];
}

export function validateRole(object: KubeObject): readonly FieldError[] {
  return listAt(object, 'rules').flatMap((rule, index) =>
    listAt(rule, 'verbs').length === 0
      ? [required(`rules[${index}].verbs`, 'verbs must contain at least one value')]
      : [],
  );
}

export function validateIngress(object: KubeObject): readonly FieldError[] {
  return listAt(object, 'spec', 'rules').flatMap((rule, index) =>
    listAt(rule, 'http', 'paths').flatMap((path, position) =>
      stringAt(path, 'pathType')
        ? []
        : [required(`spec.rules[${index}].http.paths[${position}].pathType`, 'pathType must be specified')],
    ),
  );
}

export function validateService(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  const errors: FieldError[] = [];
  const isHeadless = spec['clusterIP'] === 'None';
  if (listAt(spec, 'ports').length === 0 && spec['type'] !== 'ExternalName' && !isHeadless)
    errors.push(required('spec.ports'));
  errors.push(...servicePortErrors(listAt(spec, 'ports')));
  const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
  if (typeof spec['type'] === 'string' && !types.includes(spec['type']))
    errors.push(unsupported('spec.type', spec['type'], types));
  const before = previous && stringAt(previous, 'spec', 'clusterIP');
  if (before && spec['type'] !== 'ExternalName' && spec['clusterIP'] !== before) {
    errors.push({
      type: 'Invalid',
      field: 'spec.clusterIPs[0]',
      message: 'may not change once set',
      value: [spec['clusterIP']],
    });
  }
  return errors;
}

function servicePortErrors(ports: readonly unknown[]): FieldError[] {
  return ports.flatMap((port, index) => {
    const at = `spec.ports[${index}]`;
    return [
      ...(ports.length > 1 && !stringAt(port, 'name') ? [required(`${at}.name`)] : []),
      ...portNumber(recordAt(port)['port'], `${at}.port`),
      ...portNumber(recordAt(port)['targetPort'], `${at}.targetPort`),
    ];
  });
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

export function validateRoleRef(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  if (!previous || equalJson(object['roleRef'], previous['roleRef'])) return [];
  return [{ type: 'Invalid', field: 'roleRef', message: 'cannot change roleRef', value: object['roleRef'] }];
}

const scopes = ['Cluster', 'Namespaced'];
const schemaTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function schemaErrors(version: Record<string, unknown>, index: number, isOnly: boolean): FieldError[] {
  const schema = recordAt(version, 'schema')['openAPIV3Schema'];
  if (!isRecord(schema)) return [required(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required')];
  const at = isOnly ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`;
  const { type } = schema;
  const message = 'must be object at the root';
  const isObject = type === 'object' || type === undefined || type === '';
  return [
    ...(isObject ? [] : [{ type: 'Invalid' as const, field: `${at}.type`, message, value: type }]),
    ...structuralErrors(schema, at),
  ];
}

function structuralErrors(schema: Record<string, unknown>, at: string): FieldError[] {
  const { type } = schema;
  const isFree =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (typeof type === 'string' && type !== '' && !schemaTypes.includes(type))
    return [unsupported(`${at}.type`, type, schemaTypes)];
  const properties = Object.entries(recordAt(schema, 'properties'));
  return [
    ...(!type && !isFree ? [required(`${at}.type`, 'must not be empty for specified object fields')] : []),
    ...properties.flatMap(([name, inner]) =>
      isRecord(inner) ? structuralErrors(inner, `${at}.properties[${name}]`) : [],
    ),
    ...(isRecord(schema['items']) ? structuralErrors(schema['items'], `${at}.items`) : []),
    ...ruleErrors(schema, at),
  ];
}

function ruleErrors(schema: Record<string, unknown>, at: string): FieldError[] {
  return listAt(schema, 'x-kubernetes-validations').flatMap((rule, index) => {
    const text = stringAt(rule, 'rule') ?? '';
    const problem = ruleProblem(text, schema);
    if (problem === undefined) return [];
    const field = `${at}.x-kubernetes-validations[${index}].rule`;
    const shown = `apiextensions.ValidationRule{Rule:${JSON.stringify(text)}}`;
    return [{ type: 'Invalid' as const, field, message: problem, shown }];
  });
}

export function validateCustomResourceDefinition(
  object: KubeObject,
  previous: KubeObject | undefined,
): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  if (previous && recordAt(previous, 'spec')['group'] !== spec['group']) {
    return [{ type: 'Invalid', field: 'spec.group', message: 'field is immutable', value: spec['group'] }];
  }
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
  if (typeof spec['scope'] === 'string' && spec['scope'] !== '' && !scopes.includes(spec['scope'])) {
    errors.push(unsupported('spec.scope', spec['scope'], scopes));
  }
  errors.push(...versions.flatMap((version, index) => schemaErrors(version, index, versions.length === 1)));
  if (!previous && !versions.some((version) => version['storage'] === true)) {
    const message = 'must have at least one stored version';
    errors.push({ type: 'Invalid', field: 'status.storedVersions', message, value: [] });
  }
  const expected = `${stringAt(spec, 'names', 'plural')}.${stringAt(spec, 'group')}`;
  if (object.metadata.name !== expected) {
    const message = 'must be spec.names.plural+"."+spec.group';
    errors.push({ type: 'Invalid', field: 'metadata.name', message, value: object.metadata.name });
  }
  return errors;
}
