// The core group.
import { isRecord, type KubeObject, listAt, numberAt, recordAt, stringAt, valueAt } from '@fairlead/kube/object';
import { builtInShape, customShape } from '@fairlead/kube/patch';
import {
  ageColumn,
  ageOf,
  at,
  column,
  containerImages,
  containerNames,
  integer,
  labelsText,
  nameColumn,
  sizeOf,
  textAt,
  wide,
} from '../columns.ts';
import { fill, mapItems, mapMember } from '../defaults/fill.ts';
import { admitPod, defaultPod, defaultPodTemplate } from '../defaults/pod-spec.ts';
import { allocateService, defaultService, retainAllocations, withoutFormerType } from '../defaults/service.ts';
import { podColumns } from '../pod-columns.ts';
import { type ResourceRow, type ResourceType, resourceType } from '../resource-type.ts';
import { validateConfigMap, validatePod, validateSecret, validateService } from '../validation.ts';

const core = (row: Omit<ResourceRow, 'group' | 'version' | 'shape'>): ResourceType =>
  resourceType({
    group: '',
    version: 'v1',
    shape: builtInShape({ group: '', kind: row.kind }) ?? customShape,
    ...row,
  });

const all = ['all'];

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

function servicePorts(object: KubeObject): string {
  const ports = listAt(object, 'spec', 'ports').filter(isRecord);
  const text = ports.map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`);
  return text.length === 0 ? '<none>' : text.join(',');
}

function externalIp(object: KubeObject): string {
  const type = stringAt(object, 'spec', 'type');
  if (type === 'ExternalName') return stringAt(object, 'spec', 'externalName') ?? '<none>';
  const given = listAt(object, 'spec', 'externalIPs').join(',');
  return given || (type === 'LoadBalancer' ? '<pending>' : '<none>');
}

function endpointsText(object: KubeObject): string {
  const texts = listAt(object, 'subsets').flatMap((subset) =>
    listAt(subset, 'addresses').flatMap((address) =>
      listAt(subset, 'ports').map((port) => `${stringAt(address, 'ip')}:${valueAt(port, 'port')}`),
    ),
  );
  if (texts.length === 0) return '<none>';
  return texts.length > 3 ? `${texts.slice(0, 3).join(',')} + ${texts.length - 3} more...` : texts.join(',');
}

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

const claimProtection = 'kubernetes.io/pvc-protection';
const volumeProtection = 'kubernetes.io/pv-protection';

const statusText = (object: KubeObject) =>
  object.metadata.deletionTimestamp ? 'Terminating' : stringAt(object, 'status', 'phase');

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const accessModes = (given: readonly unknown[]) => given.map((mode) => modes[String(mode)] ?? '').join(',');

function quotaText(object: KubeObject, isShown: (name: string) => boolean): string {
  const { hard, used } = { hard: recordAt(object, 'status', 'hard'), used: recordAt(object, 'status', 'used') };
  return Object.keys(hard)
    .filter(isShown)
    .sort()
    .map((name) => `${name}: ${String(used[name] ?? '')}/${String(hard[name])}`)
    .join(', ');
}

/** The list of addresses follows the one address that older writers know. */
function withAddresses(status: unknown): unknown {
  const podIP = stringAt(status, 'podIP');
  if (!isRecord(status) || !podIP || listAt(status, 'podIPs').length > 0) return status;
  return { ...status, podIPs: [{ ip: podIP }] };
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
  core({
    kind: 'Namespace',
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
    kind: 'Service',
    names: 'service',
    plural: 'services',
    shortNames: ['svc'],
    categories: all,
    hasStatus: true,
    selectableFields: ['spec.clusterIP', 'spec.type'],
    defaults: defaultService,
    prepareCreate: (object, context) => ({ ...allocateService(object, context), status: { loadBalancer: {} } }),
    prepareUpdate: retainAllocations,
    allocate: (next, previous, context) => allocateService(withoutFormerType(next, previous), context),
    validate: validateService,
    columns: [
      nameColumn,
      column('Type', at('spec', 'type')),
      column('Cluster-IP', textAt('spec', 'clusterIP')),
      column('External-IP', externalIp),
      column('Port(s)', servicePorts),
      ageColumn,
      wide('Selector', labelsText('spec', 'selector')),
    ],
  }),
  core({
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    subresources: ['token'],
    columns: [nameColumn, integer('Secrets', (object) => listAt(object, 'secrets').length), ageColumn],
  }),
  core({
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: all,
    hasStatus: true,
    subresources: ['log', 'eviction', 'binding'],
    selectableFields: [
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.phase',
      'status.podIP',
    ],
    defaults: defaultPod,
    prepareCreate: (object, context) => ({
      ...admitPod(object, context),
      status: { phase: 'Pending', qosClass: qosClassOf(object) },
    }),
    prepareStatus: withAddresses,
    validate: validatePod,
    // A pod that no node has taken has nothing to wait for.
    graceSeconds: (object) =>
      stringAt(object, 'spec', 'nodeName') ? (numberAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30) : 0,
    columns: podColumns,
  }),
  core({
    kind: 'PodTemplate',
    plural: 'podtemplates',
    defaults: (object) => ({ ...object, template: defaultPodTemplate(object['template']) }),
    columns: [
      nameColumn,
      column('Containers', containerNames('template', 'spec', 'containers')),
      column('Images', containerImages('template', 'spec', 'containers')),
      column('Pod Labels', labelsText('template', 'metadata', 'labels')),
    ],
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
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    columns: [nameColumn, column('Endpoints', endpointsText), ageColumn],
  }),
  core({
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    hasStatus: true,
    defaults: (object) => ({ ...object, spec: fill(object['spec'], { volumeMode: 'Filesystem' }) }),
    prepareCreate: (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), claimProtection] },
      status: { phase: 'Pending' },
    }),
    columns: [
      nameColumn,
      column('Status', statusText),
      column('Volume', (object) => stringAt(object, 'spec', 'volumeName') ?? ''),
      column('Capacity', (object) => stringAt(object, 'status', 'capacity', 'storage') ?? ''),
      column('Access Modes', (object) => accessModes(listAt(object, 'status', 'accessModes'))),
      column('StorageClass', (object) => stringAt(object, 'spec', 'storageClassName') ?? ''),
      column('VolumeAttributesClass', () => '<unset>'),
      ageColumn,
      wide('VolumeMode', textAt('spec', 'volumeMode')),
    ],
  }),
  core({
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    hasStatus: true,
    defaults: (object) => ({
      ...object,
      spec: mapMember(
        fill(object['spec'], { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
        'hostPath',
        (path) => fill(path, { type: '' }),
      ),
    }),
    prepareCreate: (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), volumeProtection] },
      status: { phase: 'Pending' },
    }),
    columns: [
      nameColumn,
      column('Capacity', (object) => stringAt(object, 'spec', 'capacity', 'storage') ?? ''),
      column('Access Modes', (object) => accessModes(listAt(object, 'spec', 'accessModes'))),
      column('Reclaim Policy', at('spec', 'persistentVolumeReclaimPolicy')),
      column('Status', statusText),
      column('Claim', (object) => {
        const claim = recordAt(object, 'spec', 'claimRef');
        return claim['name'] ? `${String(claim['namespace'])}/${String(claim['name'])}` : '';
      }),
      column('StorageClass', (object) => stringAt(object, 'spec', 'storageClassName') ?? ''),
      column('VolumeAttributesClass', () => '<unset>'),
      column('Reason', (object) => stringAt(object, 'status', 'reason') ?? ''),
      ageColumn,
      wide('VolumeMode', textAt('spec', 'volumeMode')),
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
    plural: 'resourcequotas',
    shortNames: ['quota'],
    hasStatus: true,
    columns: [
      nameColumn,
      ageColumn,
      column('Request', (object) => quotaText(object, (name) => !name.startsWith('limits.'))),
      column('Limit', (object) => quotaText(object, (name) => name.startsWith('limits.'))),
    ],
  }),
  core({
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: all,
    hasStatus: true,
    hasGeneration: true,
    scale: {
      specReplicas: ['spec', 'replicas'],
      statusReplicas: ['status', 'replicas'],
      selector: ['spec', 'selector'],
    },
    columns: [
      nameColumn,
      integer('Desired', (object) => numberAt(object, 'spec', 'replicas') ?? 0),
      integer('Current', (object) => numberAt(object, 'status', 'replicas') ?? 0),
      integer('Ready', (object) => numberAt(object, 'status', 'readyReplicas') ?? 0),
      ageColumn,
      wide('Containers', containerNames('spec', 'template', 'spec', 'containers')),
      wide('Images', containerImages('spec', 'template', 'spec', 'containers')),
      wide('Selector', labelsText('spec', 'selector')),
    ],
  }),
];

function rolesOf(object: KubeObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.keys(object.metadata.labels ?? {}).filter((key) => key.startsWith(prefix));
  return roles.length === 0 ? '<none>' : roles.map((key) => key.slice(prefix.length)).join(',');
}

function qosClassOf(pod: KubeObject): string {
  const containers = listAt(pod, 'spec', 'containers');
  const amounts = containers.map((container) => ({
    limits: recordAt(container, 'resources', 'limits'),
    requests: recordAt(container, 'resources', 'requests'),
  }));
  if (amounts.every(({ limits, requests }) => Object.keys({ ...limits, ...requests }).length === 0))
    return 'BestEffort';
  const isGuaranteed = amounts.every(({ limits, requests }) =>
    ['cpu', 'memory'].every((name) => limits[name] !== undefined && limits[name] === (requests[name] ?? limits[name])),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}
