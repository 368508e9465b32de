// The roles every cluster has: what people bind to without thinking, and what any signed-in user may do.
import type { KubeObject } from '@fairlead/kube/object';
import type { Rule } from './authorizer.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' };
const aggregateTo = (name: string) => `rbac.authorization.k8s.io/aggregate-to-${name}`;

const role = (name: string, rules: readonly Rule[], partOf?: string): KubeObject => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name, annotations, labels: { ...labels, ...(partOf ? { [aggregateTo(partOf)]: 'true' } : {}) } },
  rules,
});

/** The sum of all roles that are marked for it: definitions of custom kinds add theirs. */
const sumRole = (name: string, rules: readonly Rule[], partOf?: string): KubeObject => ({
  ...role(name, rules, partOf),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(name)]: 'true' } }] },
});

const binding = (name: string, group: string): KubeObject => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: { name, labels },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  subjects: [{ kind: 'Group', name: group, apiGroup: 'rbac.authorization.k8s.io' }],
});

const workloads = ['apps', 'batch', 'autoscaling', 'policy', 'networking.k8s.io'];
const plain = [
  'bindings',
  'configmaps',
  'endpoints',
  'events',
  'limitranges',
  'namespaces',
  'persistentvolumeclaims',
  'pods',
  'pods/log',
  'pods/status',
  'replicationcontrollers',
  'resourcequotas',
  'serviceaccounts',
  'services',
];
const editable = [
  'configmaps',
  'endpoints',
  'events',
  'persistentvolumeclaims',
  'pods',
  'pods/eviction',
  'replicationcontrollers',
  'secrets',
  'serviceaccounts',
  'serviceaccounts/token',
  'services',
];
const viewRules: readonly Rule[] = [
  { apiGroups: [''], resources: plain, verbs: read },
  { apiGroups: [...workloads, 'discovery.k8s.io'], resources: ['*'], verbs: read },
];
const editRules: readonly Rule[] = [
  ...viewRules,
  { apiGroups: [''], resources: ['secrets'], verbs: read },
  { apiGroups: [''], resources: editable, verbs: write },
  { apiGroups: workloads, resources: ['*'], verbs: write },
];
const adminRules: readonly Rule[] = [
  ...editRules,
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: [...read, ...write] },
  { apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'], verbs: ['create'] },
];
const discovery = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
];

export const defaultRoles: readonly KubeObject[] = [
  role('cluster-admin', [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ]),
  sumRole('admin', adminRules),
  sumRole('edit', editRules, 'admin'),
  sumRole('view', viewRules, 'edit'),
  role('system:aggregate-to-admin', adminRules, 'admin'),
  role('system:aggregate-to-edit', editRules, 'edit'),
  role('system:aggregate-to-view', viewRules, 'view'),
  role('system:basic-user', [
    {
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      verbs: ['create'],
    },
    { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
  ]),
  role('system:discovery', [{ nonResourceURLs: discovery, verbs: ['get'] }]),
  binding('cluster-admin', 'system:masters'),
  binding('system:basic-user', 'system:authenticated'),
  binding('system:discovery', 'system:authenticated'),
];
