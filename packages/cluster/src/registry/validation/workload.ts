// Deployment, ReplicaSet, DaemonSet and StatefulSet.
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
import type { FieldError } from '../resource-type.ts';
import { validatePodSpec } from './pod-spec.ts';
import { notNegative, required, unsupported } from './rules.ts';

export function validateReplicationController(object: KubeObject): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  const [selector, template] = [recordAt(spec, 'selector'), spec['template']];
  const labels = recordAt(template, 'metadata', 'labels') as Record<string, string>; // label values are strings on the wire
  const isMatch = Object.entries(selector).every(([name, value]) => labels[name] === value);
  return [
    ...notNegative(spec['replicas'], 'spec.replicas'),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
    ...(template === undefined ? [required('spec.template')] : validateTemplate(template)),
    ...(isMatch || template === undefined ? [] : [mismatch(labels)]),
  ];
}

const validateTemplate = (template: unknown): readonly FieldError[] => [
  ...validatePodSpec(recordAt(template)['spec'], 'spec.template.spec'),
  ...restartErrors(template),
];

/** Pods of workloads run for good. */
function restartErrors(template: unknown): readonly FieldError[] {
  const policy = stringAt(template, 'spec', 'restartPolicy');
  if (policy !== 'Never' && policy !== 'OnFailure') return [];
  return [unsupported('spec.template.spec.restartPolicy', policy, ['Always'])];
}

/** Selector present, immutable and matching the template's labels. */
export function validateWorkload(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  const template = recordAt(spec, 'template');
  // Volumes of a stateful set come with its claims: Kubernetes leaves its pods to be judged when they are made.
  const isJudgedLater = object.kind === 'StatefulSet';
  return [
    ...notNegative(spec['replicas'], 'spec.replicas'),
    ...selectorErrors(object, previous),
    ...strategyErrors(object),
    ...(isJudgedLater ? restartErrors(template) : validateTemplate(template)),
  ];
}

function selectorErrors(object: KubeObject, previous: KubeObject | undefined): FieldError[] {
  const spec = recordAt(object, 'spec');
  const { selector } = spec;
  const labels = recordAt(spec, 'template', 'metadata', 'labels') as Record<string, string>; // label values are strings on the wire
  if (!isRecord(selector)) return [required('spec.selector'), mismatch(labels)];
  const parsed = selectorOf(selector);
  if (parsed.length === 0) {
    const message = `empty selector is invalid for ${object.kind.toLowerCase()}`;
    return [{ type: 'Invalid', field: 'spec.selector', message, value: selector }];
  }
  const isChanged = previous && !equalJson(recordAt(previous, 'spec')['selector'], selector);
  return [
    ...(matchesSelector(parsed, labels) ? [] : [mismatch(labels)]),
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

const mismatch = (labels: Readonly<Record<string, string>>): FieldError => ({
  type: 'Invalid',
  field: 'spec.template.metadata.labels',
  message: '`selector` does not match template `labels`',
  shown: goMap(labels),
});

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
