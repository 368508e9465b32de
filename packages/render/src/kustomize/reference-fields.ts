// Where built-in kinds name other objects (kustomize's own table, written anew by kind of what is named).
import type { FieldSpec } from './field-spec.ts';

export interface References {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly fields: readonly FieldSpec[];
}

const podSpecs: readonly FieldSpec[] = [
  { path: 'spec', kind: 'Pod', version: 'v1' },
  { path: 'spec/template/spec', kind: 'Deployment' },
  { path: 'spec/template/spec', kind: 'ReplicaSet' },
  { path: 'spec/template/spec', kind: 'DaemonSet' },
  { path: 'spec/template/spec', kind: 'StatefulSet' },
  { path: 'spec/template/spec', kind: 'ReplicationController' },
  { path: 'spec/template/spec', kind: 'Job' },
  { path: 'spec/jobTemplate/spec/template/spec', kind: 'CronJob' },
];
export const inPods = (...paths: string[]): FieldSpec[] =>
  podSpecs.flatMap((spec) => paths.map((path) => ({ ...spec, path: `${spec.path}/${path}` })));
export const inContainers = (...paths: string[]): FieldSpec[] =>
  inPods(...paths.flatMap((path) => [`containers/${path}`, `initContainers/${path}`]));
const at = (kind: string, ...paths: string[]): FieldSpec[] => paths.map((path) => ({ kind, path }));
const resourceNames = [...at('Role', 'rules/resourceNames'), ...at('ClusterRole', 'rules/resourceNames')];
const scaled = at('HorizontalPodAutoscaler', 'spec/scaleTargetRef/name');
const ingressAnnotations = (...names: string[]): FieldSpec[] =>
  at('Ingress', ...names.map((name) => `metadata/annotations/nginx.ingress.kubernetes.io\\/${name}`));

export const referencesByKind: readonly References[] = [
  { kind: 'Deployment', fields: scaled },
  { kind: 'ReplicationController', fields: scaled },
  { kind: 'ReplicaSet', fields: scaled },
  { kind: 'StatefulSet', fields: scaled },
  {
    kind: 'ConfigMap',
    fields: [
      ...inPods('volumes/configMap/name', 'volumes/projected/sources/configMap/name'),
      ...inContainers('env/valueFrom/configMapKeyRef/name', 'envFrom/configMapRef/name'),
      ...at('Node', 'spec/configSource/configMap'),
      ...ingressAnnotations('fastcgi-params-configmap'),
      ...resourceNames,
    ],
  },
  {
    kind: 'Secret',
    fields: [
      ...inPods('volumes/secret/secretName', 'volumes/projected/sources/secret/name', 'imagePullSecrets/name'),
      ...inContainers('env/valueFrom/secretKeyRef/name', 'envFrom/secretRef/name'),
      ...at('Ingress', 'spec/tls/secretName'),
      ...ingressAnnotations('auth-secret', 'auth-tls-secret'),
      ...at('ServiceAccount', 'imagePullSecrets/name', 'secrets/name'),
      ...resourceNames,
    ],
  },
  {
    kind: 'Service',
    fields: [
      ...at('StatefulSet', 'spec/serviceName'),
      ...at('Ingress', 'spec/rules/http/paths/backend/serviceName', 'spec/rules/http/paths/backend/service/name'),
      ...at('Ingress', 'spec/backend/serviceName', 'spec/defaultBackend/service/name'),
      ...at('APIService', 'spec/service'),
      ...at('ValidatingWebhookConfiguration', 'webhooks/clientConfig/service'),
      ...at('MutatingWebhookConfiguration', 'webhooks/clientConfig/service'),
      ...at('CustomResourceDefinition', 'spec/conversion/webhook/clientConfig/service'),
      ...resourceNames,
    ],
  },
  { kind: 'Role', group: 'rbac.authorization.k8s.io', fields: at('RoleBinding', 'roleRef/name') },
  {
    kind: 'ClusterRole',
    group: 'rbac.authorization.k8s.io',
    fields: [...at('RoleBinding', 'roleRef/name'), ...at('ClusterRoleBinding', 'roleRef/name')],
  },
  {
    kind: 'ServiceAccount',
    fields: [
      ...at('RoleBinding', 'subjects'),
      ...at('ClusterRoleBinding', 'subjects'),
      ...inPods('serviceAccountName'),
      ...resourceNames,
    ],
  },
  { kind: 'PersistentVolumeClaim', fields: inPods('volumes/persistentVolumeClaim/claimName') },
  { kind: 'PersistentVolume', fields: [...at('PersistentVolumeClaim', 'spec/volumeName'), ...resourceNames] },
  {
    kind: 'StorageClass',
    group: 'storage.k8s.io',
    fields: [
      ...at('PersistentVolume', 'spec/storageClassName'),
      ...at('PersistentVolumeClaim', 'spec/storageClassName'),
      ...at('StatefulSet', 'spec/volumeClaimTemplates/spec/storageClassName'),
    ],
  },
  { kind: 'PriorityClass', group: 'scheduling.k8s.io', fields: inPods('priorityClassName') },
  { kind: 'IngressClass', group: 'networking.k8s.io', fields: at('Ingress', 'spec/ingressClassName') },
];
