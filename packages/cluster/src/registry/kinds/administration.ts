// What administrators and charts of infrastructure bring: kept, defaulted and printed as a real server does, and without
// effect here. Policies judge nothing, drivers mount nothing, an aggregated API is said to be available and never called.
import { isDeepStrictEqual } from 'node:util';
import { isRecord, type KubeObject, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube/object';
import { ageColumn, at, column, integer, nameColumn } from '../columns.ts';
import { fill, mapItems, mapMember } from '../defaults/fill.ts';
import type { ResourceType, RuleContext } from '../resource-type.ts';
import { v1Kind } from './v1-kind.ts';

const admission = 'admissionregistration.k8s.io';
const flowControl = 'flowcontrol.apiserver.k8s.io';
const storage = 'storage.k8s.io';

function defaultMatch(match: unknown): Record<string, unknown> {
  const filled = fill(match, { namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Equivalent' });
  const withScope = (rule: Record<string, unknown>) => fill(rule, { scope: '*' });
  return mapItems(mapItems(filled, 'resourceRules', withScope), 'excludeResourceRules', withScope);
}

const withSpec = (object: KubeObject, spec: Record<string, unknown>): KubeObject => ({ ...object, spec });

const defaultPolicy = (object: KubeObject) =>
  withSpec(
    object,
    mapMember(fill(object['spec'], { failurePolicy: 'Fail', matchConstraints: {} }), 'matchConstraints', defaultMatch),
  );

const defaultPolicyBinding = (object: KubeObject) =>
  withSpec(object, mapMember(recordAt(object, 'spec'), 'matchResources', defaultMatch));

/** Where Kubernetes takes 0 for not given. */
function fillZeros(record: unknown, values: Record<string, number>): Record<string, unknown> {
  const given = Object.entries(isRecord(record) ? record : {}).filter(
    ([key, value]) => !(key in values && value === 0),
  );
  return fill(Object.fromEntries(given), values);
}

function defaultPriorityLevel(object: KubeObject): KubeObject {
  const queuing = (value: unknown) => fillZeros(value, { queues: 64, handSize: 8, queueLengthLimit: 50 });
  const response = (value: unknown) => mapMember(fill(value, { type: 'Reject' }), 'queuing', queuing);
  const limited = (value: unknown) =>
    mapMember(fill(value, { nominalConcurrencyShares: 30, lendablePercent: 0 }), 'limitResponse', response);
  return withSpec(object, mapMember(recordAt(object, 'spec'), 'limited', limited));
}

const defaultApiService = (object: KubeObject) =>
  withSpec(
    object,
    mapMember(recordAt(object, 'spec'), 'service', (service) => fill(service, { port: 443 })),
  );

/** As of an API whose server answers: pods are simulated, and so is what they would serve. */
function availableApiService(object: KubeObject, { now }: RuleContext): KubeObject {
  const isLocal = valueAt(object, 'spec', 'service') === undefined;
  const passed = isLocal
    ? { reason: 'Local', message: 'Local APIServices are always available' }
    : { reason: 'Passed', message: 'all checks passed' };
  const condition = { type: 'Available', status: 'True', lastTransitionTime: now, ...passed };
  return { ...object, status: { conditions: [condition] } };
}

const serviceText = (object: KubeObject) => {
  const { namespace, name } = recordAt(object, 'spec', 'service');
  return name === undefined ? 'Local' : `${namespace}/${name}`;
};

function availableText(object: KubeObject): string {
  const condition = listAt(object, 'status', 'conditions').find((each) => stringAt(each, 'type') === 'Available');
  const status = stringAt(condition, 'status') ?? 'Unknown';
  return status === 'True' ? status : `${status} (${stringAt(condition, 'reason') ?? ''})`;
}

/** Of a kind whose generation begins with its first change. */
function countGenerations(next: KubeObject, previous: KubeObject): KubeObject {
  const generation = Number(previous.metadata.generation ?? 0) + 1;
  return isDeepStrictEqual(next['spec'], previous['spec'])
    ? next
    : { ...next, metadata: { ...next.metadata, generation } };
}

const paramKind = (object: KubeObject) => {
  const { apiVersion, kind } = recordAt(object, 'spec', 'paramKind');
  return kind === undefined ? '<unset>' : `${apiVersion}/${kind}`;
};
const paramRef = (object: KubeObject) => {
  const { namespace, name } = recordAt(object, 'spec', 'paramRef');
  if (name === undefined) return '<unset>';
  return namespace === undefined ? `*/${name}` : `${namespace}/${name}`;
};

const yesNo = (name: string, ...path: string[]) =>
  column(name, (object) => valueAt(object, ...path) === true, { type: 'boolean' });
/** `<none>` where the level has no such number, as one without queues. */
const levelNumber = (name: string, ...path: string[]) =>
  column(name, (object) => valueAt(object, 'spec', ...path) ?? '<none>');

export const administrationKinds: readonly ResourceType[] = [
  v1Kind(admission, {
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    namespaced: false,
    hasStatus: true,
    hasGeneration: true,
    categories: ['api-extensions'],
    defaults: defaultPolicy,
    prepareCreate: (object) => ({ ...object, status: {} }),
    columns: [
      nameColumn,
      integer('Validations', (object) => listAt(object, 'spec', 'validations').length),
      column('ParamKind', paramKind),
      ageColumn,
    ],
  }),
  v1Kind(admission, {
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    namespaced: false,
    hasGeneration: true,
    categories: ['api-extensions'],
    defaults: defaultPolicyBinding,
    columns: [nameColumn, column('PolicyName', at('spec', 'policyName')), column('ParamRef', paramRef), ageColumn],
  }),
  v1Kind('apiregistration.k8s.io', {
    kind: 'APIService',
    plural: 'apiservices',
    namespaced: false,
    hasStatus: true,
    categories: ['api-extensions'],
    defaults: defaultApiService,
    prepareCreate: availableApiService,
    columns: [nameColumn, column('Service', serviceText), column('Available', availableText), ageColumn],
  }),
  v1Kind('node.k8s.io', {
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    namespaced: false,
    columns: [nameColumn, column('Handler', at('handler')), ageColumn],
  }),
  v1Kind(storage, {
    kind: 'CSIDriver',
    answersDeleted: true,
    plural: 'csidrivers',
    namespaced: false,
    prepareUpdate: countGenerations,
    defaults: (object) =>
      withSpec(
        object,
        fill(object['spec'], {
          attachRequired: true,
          podInfoOnMount: false,
          storageCapacity: false,
          fsGroupPolicy: 'ReadWriteOnceWithFSType',
          requiresRepublish: false,
          volumeLifecycleModes: ['Persistent'],
          seLinuxMount: false,
        }),
      ),
    columns: [
      nameColumn,
      yesNo('AttachRequired', 'spec', 'attachRequired'),
      yesNo('PodInfoOnMount', 'spec', 'podInfoOnMount'),
      yesNo('StorageCapacity', 'spec', 'storageCapacity'),
      column('TokenRequests', (object) =>
        listAt(object, 'spec', 'tokenRequests').length === 0
          ? '<unset>'
          : listAt(object, 'spec', 'tokenRequests')
              .map((request) => stringAt(request, 'audience') ?? '')
              .join(','),
      ),
      yesNo('RequiresRepublish', 'spec', 'requiresRepublish'),
      column('Modes', (object) => listAt(object, 'spec', 'volumeLifecycleModes').join(',')),
      ageColumn,
    ],
  }),
  v1Kind(storage, {
    kind: 'CSINode',
    answersDeleted: true,
    plural: 'csinodes',
    namespaced: false,
    columns: [nameColumn, integer('Drivers', (object) => listAt(object, 'spec', 'drivers').length), ageColumn],
  }),
  v1Kind(storage, {
    kind: 'VolumeAttachment',
    answersDeleted: true,
    plural: 'volumeattachments',
    namespaced: false,
    hasStatus: true,
    prepareCreate: (object) => ({ ...object, status: { attached: false } }),
    columns: [
      nameColumn,
      column('Attacher', at('spec', 'attacher'), { format: 'name' }),
      column('PV', at('spec', 'source', 'persistentVolumeName')),
      column('Node', at('spec', 'nodeName')),
      yesNo('Attached', 'status', 'attached'),
      ageColumn,
    ],
  }),
  v1Kind(flowControl, {
    kind: 'FlowSchema',
    plural: 'flowschemas',
    namespaced: false,
    hasStatus: true,
    hasGeneration: true,
    defaults: (object) => withSpec(object, fillZeros(object['spec'], { matchingPrecedence: 1000 })),
    prepareCreate: (object) => ({ ...object, status: {} }),
    columns: [
      nameColumn,
      column('PriorityLevel', at('spec', 'priorityLevelConfiguration', 'name')),
      integer('MatchingPrecedence', (object) => valueAt(object, 'spec', 'matchingPrecedence') ?? 0),
      column('DistinguisherMethod', (object) => stringAt(object, 'spec', 'distinguisherMethod', 'type') ?? '<none>'),
      ageColumn,
      column('MissingPL', () => '?'),
    ],
  }),
  v1Kind(flowControl, {
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    namespaced: false,
    hasStatus: true,
    hasGeneration: true,
    defaults: defaultPriorityLevel,
    prepareCreate: (object) => ({ ...object, status: {} }),
    columns: [
      nameColumn,
      column('Type', at('spec', 'type')),
      levelNumber('NominalConcurrencyShares', 'limited', 'nominalConcurrencyShares'),
      levelNumber('Queues', 'limited', 'limitResponse', 'queuing', 'queues'),
      levelNumber('HandSize', 'limited', 'limitResponse', 'queuing', 'handSize'),
      levelNumber('QueueLengthLimit', 'limited', 'limitResponse', 'queuing', 'queueLengthLimit'),
      ageColumn,
    ],
  }),
];
