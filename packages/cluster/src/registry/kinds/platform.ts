// Networking, RBAC, storage, coordination, API extension: kinds that are kept and printed; CRDs also act (see
// controllers/custom-resources).
import { isRecord, type KubeObject, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube/object';
import { ageColumn, at, column, integer, labelsText, nameColumn, textAt, wide } from '../columns.ts';
import { fill, mapItems, mapMember } from '../defaults/fill.ts';
import { defaultWebhooks, withServicePort } from '../defaults/webhooks.ts';
import type { ResourceType } from '../resource-type.ts';
import {
  validateBinding,
  validateCustomResourceDefinition,
  validateIngress,
  validateRole,
  validateWebhooks,
} from '../validation/index.ts';
import { ingressWarnings } from '../warnings.ts';
import { v1Kind } from './v1-kind.ts';

/** Holds a CRD until its objects are gone. */
export const customResourceCleanup = 'customresourcecleanup.apiextensions.k8s.io';

/** What a policy is about follows from what it says, and ports are TCP's unless they say otherwise. */
function defaultNetworkPolicy(object: KubeObject): KubeObject {
  const withProtocol = (rule: Record<string, unknown>) =>
    mapItems(rule, 'ports', (port) => fill(port, { protocol: 'TCP' }));
  const rules = mapItems(mapItems(recordAt(object, 'spec'), 'ingress', withProtocol), 'egress', withProtocol);
  const policyTypes = rules['egress'] === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
  return { ...object, spec: fill(rules, { policyTypes }) };
}

const networking = 'networking.k8s.io';
const rbac = 'rbac.authorization.k8s.io';

function defaultBinding(object: KubeObject): KubeObject {
  const { apiGroup, ...given } = recordAt(object, 'roleRef');
  const roleRef = { apiGroup: apiGroup || rbac, ...given };
  const withSubjects = mapItems({ ...object, roleRef }, 'subjects', (subject) =>
    subject['kind'] === 'ServiceAccount' ? subject : fill(subject, { apiGroup: rbac }),
  );
  return withSubjects as KubeObject; // members were only added
}

function defaultCustomResourceDefinition(object: KubeObject): KubeObject {
  const spec = recordAt(object, 'spec');
  const kindName = stringAt(spec, 'names', 'kind') ?? '';
  const names = fill(spec['names'], { singular: kindName.toLowerCase(), listKind: `${kindName}List` });
  const { preserveUnknownFields, ...rest } = fill(spec, { conversion: { strategy: 'None' } });
  const kept = preserveUnknownFields === true ? { preserveUnknownFields } : {}; // false says nothing
  const converted = mapMember(rest, 'conversion', (conversion) =>
    mapMember(fill(conversion, {}), 'webhook', (webhook) =>
      mapMember(fill(webhook, {}), 'clientConfig', withServicePort),
    ),
  );
  return { ...object, spec: { ...converted, ...kept, names } };
}

const subjectNames = (kindName: string) => (object: KubeObject) =>
  listAt(object, 'subjects')
    .filter((subject) => stringAt(subject, 'kind') === kindName)
    .map((subject) => {
      const namespace = kindName === 'ServiceAccount' ? `${stringAt(subject, 'namespace') ?? ''}/` : '';
      return `${namespace}${stringAt(subject, 'name')}`;
    })
    .join(', ');

const defaultMark = 'storageclass.kubernetes.io/is-default-class';
const classText = ({ metadata }: KubeObject) =>
  metadata.annotations?.[defaultMark] === 'true' ? `${metadata.name} (default)` : metadata.name;

/** At most three are shown. */
function someOf(texts: readonly string[], none = '<unset>'): string {
  if (texts.length === 0) return none;
  return texts.length > 3 ? `${texts.slice(0, 3).join(',')} + ${texts.length - 3} more...` : texts.join(',');
}

const webhookColumns = [nameColumn, integer('Webhooks', (object) => listAt(object, 'webhooks').length), ageColumn];

const ingressHosts = (object: KubeObject) =>
  listAt(object, 'spec', 'rules')
    .filter(isRecord)
    .map((rule) => stringAt(rule, 'host') ?? '*')
    .join(',') || '*';

export const platformKinds: readonly ResourceType[] = [
  v1Kind(networking, {
    kind: 'Ingress',
    warnings: ingressWarnings,
    validate: validateIngress,
    plural: 'ingresses',
    shortNames: ['ing'],
    hasStatus: true,
    hasGeneration: true,
    prepareCreate: (object) => ({ ...object, status: { loadBalancer: {} } }),
    columns: [
      nameColumn,
      column('Class', textAt('spec', 'ingressClassName')),
      column('Hosts', ingressHosts),
      column('Address', (object) =>
        listAt(object, 'status', 'loadBalancer', 'ingress')
          .map((entry) => stringAt(entry, 'ip') ?? stringAt(entry, 'hostname'))
          .join(','),
      ),
      column('Ports', (object) => (listAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
      ageColumn,
    ],
  }),
  v1Kind(networking, {
    kind: 'IngressClass',
    plural: 'ingressclasses',
    namespaced: false,
    hasGeneration: true,
    columns: [
      nameColumn,
      column('Controller', at('spec', 'controller')),
      column('Parameters', () => '<none>'),
      ageColumn,
    ],
  }),
  v1Kind(networking, {
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    hasGeneration: true,
    defaults: defaultNetworkPolicy,
    columns: [nameColumn, column('Pod-Selector', labelsText('spec', 'podSelector', 'matchLabels')), ageColumn],
  }),
  v1Kind(rbac, {
    kind: 'Role',
    validate: validateRole,
    plural: 'roles',
    names: 'path',
    columns: [nameColumn, column('Created At', (object) => object.metadata.creationTimestamp)],
  }),
  v1Kind(rbac, {
    kind: 'ClusterRole',
    validate: validateRole,
    plural: 'clusterroles',
    namespaced: false,
    names: 'path',
    columns: [nameColumn, column('Created At', (object) => object.metadata.creationTimestamp)],
  }),
  ...(['RoleBinding', 'ClusterRoleBinding'] as const).map((name) =>
    v1Kind(rbac, {
      kind: name,
      plural: `${name.toLowerCase()}s`,
      namespaced: name === 'RoleBinding',
      names: 'path',
      defaults: defaultBinding,
      validate: validateBinding,
      columns: [
        nameColumn,
        column('Role', (object) => `${stringAt(object, 'roleRef', 'kind')}/${stringAt(object, 'roleRef', 'name')}`),
        ageColumn,
        wide('Users', subjectNames('User')),
        wide('Groups', subjectNames('Group')),
        wide('ServiceAccounts', subjectNames('ServiceAccount')),
      ],
    }),
  ),
  v1Kind('storage.k8s.io', {
    kind: 'StorageClass',
    answersDeleted: true,
    plural: 'storageclasses',
    shortNames: ['sc'],
    namespaced: false,
    defaults: (object) => fill(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }) as KubeObject,
    columns: [
      column('Name', classText, { format: 'name' }),
      column('Provisioner', at('provisioner')),
      column('ReclaimPolicy', at('reclaimPolicy')),
      column('VolumeBindingMode', at('volumeBindingMode')),
      column('AllowVolumeExpansion', (object) => object['allowVolumeExpansion'] === true, { type: 'boolean' }),
      ageColumn,
    ],
  }),
  v1Kind('scheduling.k8s.io', {
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    shortNames: ['pc'],
    namespaced: false,
    defaults: (object) => fill(object, { preemptionPolicy: 'PreemptLowerPriority' }) as KubeObject,
    columns: [
      nameColumn,
      integer('Value', (object) => object['value'] ?? 0),
      column('Global-Default', (object) => object['globalDefault'] === true, { type: 'boolean' }),
      ageColumn,
      column('PreemptionPolicy', at('preemptionPolicy')),
    ],
  }),
  v1Kind('coordination.k8s.io', {
    kind: 'Lease',
    plural: 'leases',
    columns: [nameColumn, column('Holder', at('spec', 'holderIdentity')), ageColumn],
  }),
  v1Kind('discovery.k8s.io', {
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    hasGeneration: true,
    columns: [
      nameColumn,
      column('AddressType', at('addressType')),
      column('Ports', (object) => someOf(listAt(object, 'ports').map((port) => String(valueAt(port, 'port') ?? '*')))),
      column('Endpoints', (object) =>
        someOf(listAt(object, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String))),
      ),
      ageColumn,
    ],
  }),
  v1Kind('admissionregistration.k8s.io', {
    kind: 'MutatingWebhookConfiguration',
    defaults: defaultWebhooks,
    validate: validateWebhooks,
    plural: 'mutatingwebhookconfigurations',
    namespaced: false,
    hasGeneration: true,
    categories: ['api-extensions'],
    columns: webhookColumns,
  }),
  v1Kind('admissionregistration.k8s.io', {
    kind: 'ValidatingWebhookConfiguration',
    defaults: defaultWebhooks,
    validate: validateWebhooks,
    plural: 'validatingwebhookconfigurations',
    namespaced: false,
    hasGeneration: true,
    categories: ['api-extensions'],
    columns: webhookColumns,
  }),
  v1Kind('apiextensions.k8s.io', {
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    hasStatus: true,
    hasGeneration: true,
    defaults: defaultCustomResourceDefinition,
    validate: validateCustomResourceDefinition,
    prepareCreate: (object) => ({
      ...object,
      status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: storageVersions(object) },
    }),
    // From the moment its end begins, it waits for its objects.
    finalizersAtDeletion: [customResourceCleanup],
    columns: [
      nameColumn,
      column('Created At', (object) => object.metadata.creationTimestamp),
      wide('Group', at('spec', 'group')),
    ],
  }),
];

function storageVersions(definition: KubeObject): unknown[] {
  const versions = listAt(definition, 'spec', 'versions').filter(isRecord);
  return versions.filter((version) => version['storage'] === true).map((version) => version['name']);
}
