// What a runtime needs in a cluster that it deploys to: an account of its own with its rights. Pure.
import type { KubeObject } from '@fairlead/kube';

export interface AccessOptions {
  readonly runtime: string;
  /** Of the ServiceAccount. */
  readonly namespace: string;
  /** Only what applications usually consist of: no roles, no CRDs, no nodes, no webhooks. */
  readonly leastRights: boolean;
}

const rbac = 'rbac.authorization.k8s.io';
const read = ['get', 'list', 'watch'];
const all = ['*'];

export const accountName = (runtime: string): string => `fairlead-${runtime}`;

/** In the order in which they are applied. */
export function accessManifests({ runtime, namespace, leastRights }: AccessOptions): KubeObject[] {
  const name = accountName(runtime);
  const labels = { 'app.kubernetes.io/managed-by': 'fairlead', 'fairlead.io/runtime': runtime };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name, labels },
      rules: leastRights ? usualRules : everyRule,
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name, labels },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}

const everyRule = [
  { apiGroups: all, resources: all, verbs: all },
  { nonResourceURLs: all, verbs: all },
];

const usualRules = [
  { apiGroups: all, resources: all, verbs: read },
  { nonResourceURLs: all, verbs: ['get'] },
  {
    apiGroups: [''],
    resources: [
      'configmaps',
      'endpoints',
      'events',
      'limitranges',
      'namespaces',
      'persistentvolumeclaims',
      'pods',
      'resourcequotas',
      'secrets',
      'serviceaccounts',
      'services',
    ],
    verbs: all,
  },
  { apiGroups: ['apps', 'batch', 'autoscaling', 'networking.k8s.io', 'policy'], resources: all, verbs: all },
  { apiGroups: ['argoproj.io'], resources: all, verbs: all },
];

/** Kubernetes fills such a Secret with a token that does not end; servers that do not are asked for one instead. */
export function tokenSecret({ runtime, namespace }: AccessOptions, suffix: string): KubeObject {
  const account = accountName(runtime);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: {
      name: `${account}-token-${suffix}`,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'fairlead', 'fairlead.io/runtime': runtime },
      annotations: { 'kubernetes.io/service-account.name': account },
    },
  };
}
