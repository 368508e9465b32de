// The core group: namespaces, configuration, accounts, events, nodes and limits; with the rest of it.
import { isRecord, type KubeObject, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube/object';
import { ageColumn, ageOf, at, column, integer, nameColumn, sizeOf, textAt, wide } from '../columns.ts';
import { fill, mapItems } from '../defaults/fill.ts';
import type { ResourceType } from '../resource-type.ts';
import { validateConfigMap, validateSecret } from '../validation/index.ts';
import { podKinds } from './core-pods.ts';
import { core } from './core-row.ts';
import { serviceKinds } from './core-services.ts';
import { volumeKinds } from './core-volumes.ts';

function labelNamespace(object: KubeObject): KubeObject {
  const labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name };
  return { ...object, metadata: { ...object.metadata, labels } };
}

function prepareNamespace(object: KubeObject): KubeObject {
  return {
    ...object,
    spec: fill(object['spec'], { finalizers: ['kubernetes'] }),
    status: { phase: 'Active' },
  };
}

/** stringData is write-only: it ends up base64 in data. */
function encodeStringData({ stringData, ...rest }: KubeObject): KubeObject {
  const object = rest as KubeObject; // identity members are still there
  if (!isRecord(stringData)) return object;
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    Buffer.from(String(value)).toString('base64'),
  ]);
  return { ...object, data: { ...recordAt(object, 'data'), ...Object.fromEntries(encoded) } };
}

const defaultSecret = (object: KubeObject): KubeObject => ({
  ...encodeStringData(object),
  type: object['type'] ?? 'Opaque',
});

function nodeStatus(object: KubeObject): string {
  const ready = listAt(object, 'status', 'conditions').find((condition) => valueAt(condition, 'type') === 'Ready');
  const text = valueAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return valueAt(object, 'spec', 'unschedulable') === true ? `${text},SchedulingDisabled` : text;
}

/** What a container is limited to by default it also asks for; a bound is the default where none is said. */
function defaultLimits(object: KubeObject): KubeObject {
  const spec = mapItems(recordAt(object, 'spec'), 'limits', (limit) => {
    if (limit['type'] !== 'Container') return limit;
    const bounded = fill(limit['default'], recordAt(limit, 'max'));
    const asked = fill(fill(limit['defaultRequest'], bounded), recordAt(limit, 'min'));
    const given = { ...limit, ...(Object.keys(bounded).length > 0 ? { default: bounded } : {}) };
    return Object.keys(asked).length > 0 ? { ...given, defaultRequest: asked } : given;
  });
  return { ...object, spec };
}

function quotaText(object: KubeObject, isShown: (name: string) => boolean): string {
  const { hard, used } = { hard: recordAt(object, 'status', 'hard'), used: recordAt(object, 'status', 'used') };
  return Object.keys(hard)
    .filter(isShown)
    .sort()
    .map((name) => `${name}: ${String(used[name] ?? '')}/${String(hard[name])}`)
    .join(', ');
}

const eventFields = [
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'involvedObject.apiVersion',
  'involvedObject.resourceVersion',
  'involvedObject.fieldPath',
  'reason',
  'reportingComponent',
  'source',
  'type',
];

export const coreKinds: readonly ResourceType[] = [
  ...podKinds,
  ...serviceKinds,
  ...volumeKinds,
  core({
    kind: 'Namespace',
    answersDeleted: true,
    plural: 'namespaces',
    shortNames: ['ns'],
    namespaced: false,
    names: 'label',
    hasStatus: true,
    subresources: ['finalize'],
    selectableFields: ['status.phase'],
    defaults: labelNamespace,
    prepareCreate: prepareNamespace,
    markDeleted: (object) => ({ ...object, status: { ...recordAt(object, 'status'), phase: 'Terminating' } }),
    holdsDeletion: (object) => listAt(object, 'spec', 'finalizers').length > 0,
    undeletable: ['default', 'kube-system', 'kube-public'],
    columns: [nameColumn, column('Status', textAt('status', 'phase')), ageColumn],
  }),
  core({
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    validate: validateConfigMap,
    columns: [
      nameColumn,
      column(
        'Data',
        (object) => Object.keys(recordAt(object, 'data')).length + Object.keys(recordAt(object, 'binaryData')).length,
      ),
      ageColumn,
    ],
  }),
  core({
    kind: 'Secret',
    plural: 'secrets',
    selectableFields: ['type'],
    defaults: defaultSecret,
    validate: validateSecret,
    columns: [nameColumn, column('Type', at('type')), integer('Data', sizeOf('data')), ageColumn],
  }),
  core({
    kind: 'ServiceAccount',
    answersDeleted: true,
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    subresources: ['token'],
    columns: [nameColumn, integer('Secrets', (object) => listAt(object, 'secrets').length), ageColumn],
  }),
  core({
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    names: 'path',
    selectableFields: eventFields,
    columns: [
      column('Last Seen', (object, { nowMs }) => ageOf(object['lastTimestamp'] ?? object['eventTime'], nowMs)),
      column('Type', at('type')),
      column('Reason', at('reason')),
      column(
        'Object',
        (object) =>
          `${(stringAt(object, 'involvedObject', 'kind') ?? '').toLowerCase()}/${stringAt(object, 'involvedObject', 'name') ?? ''}`,
      ),
      wide('Subobject', at('involvedObject', 'fieldPath')),
      wide('Source', at('source', 'component')),
      column('Message', at('message')),
      wide('First Seen', (object, { nowMs }) => ageOf(object['firstTimestamp'], nowMs)),
      column('Count', (object) => String(object['count'] ?? 1), { priority: 1 }),
      wide('Name', (object) => object.metadata.name),
    ],
  }),
  core({
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    hasStatus: true,
    selectableFields: ['spec.unschedulable'],
    columns: [
      nameColumn,
      column('Status', nodeStatus),
      column('Roles', (object) => rolesOf(object)),
      ageColumn,
      column('Version', at('status', 'nodeInfo', 'kubeletVersion')),
      wide('Internal-IP', (object) => stringAt(listAt(object, 'status', 'addresses')[0], 'address') ?? '<none>'),
      wide('External-IP', () => '<none>'),
      wide('OS-Image', at('status', 'nodeInfo', 'osImage')),
      wide('Kernel-Version', at('status', 'nodeInfo', 'kernelVersion')),
      wide('Container-Runtime', at('status', 'nodeInfo', 'containerRuntimeVersion')),
    ],
  }),
  core({
    kind: 'LimitRange',
    plural: 'limitranges',
    shortNames: ['limits'],
    defaults: defaultLimits,
    columns: [nameColumn, column('Created At', (object) => object.metadata.creationTimestamp)],
  }),
  core({
    kind: 'ResourceQuota',
    answersDeleted: true,
    plural: 'resourcequotas',
    shortNames: ['quota'],
    hasStatus: true,
    prepareCreate: (object) => ({ ...object, status: {} }),
    columns: [
      nameColumn,
      ageColumn,
      column('Request', (object) => quotaText(object, (name) => !name.startsWith('limits.'))),
      column('Limit', (object) => quotaText(object, (name) => name.startsWith('limits.'))),
    ],
  }),
];

function rolesOf(object: KubeObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.keys(object.metadata.labels ?? {}).filter((key) => key.startsWith(prefix));
  return roles.length === 0 ? '<none>' : roles.map((key) => key.slice(prefix.length)).join(',');
}
