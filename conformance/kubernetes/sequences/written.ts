// What manifests of the field hold that ours do not: members left out or written as nothing, kinds and forms of earlier days.
import { get, post, sequence } from '../sequence.ts';
import {
  container,
  deployment,
  deployments,
  pod,
  pods,
  secret,
  secrets,
  service,
  services,
  template,
} from './bodies.ts';

const dry = (path: string) => `${path}?dryRun=All`;

type Fields = Readonly<Record<string, unknown>>;
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const webhooks = '/apis/admissionregistration.k8s.io/v1';
const controllers = '/api/v1/namespaces/{ns}/replicationcontrollers';
const autoscalers = (version: string) => `/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`;
const named = (apiVersion: string, kind: string, rest: Fields) => ({
  apiVersion,
  kind,
  metadata: { name: 'w' },
  ...rest,
});
const bound = (kind: string, rest: Fields) => named('rbac.authorization.k8s.io/v1', kind, rest);
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const hook = (rest: Fields = {}) => ({
  name: 'w.example.com',
  clientConfig: { service: { namespace: 'ns', name: 'hooks' } },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
  ...rest,
});
const hooks = (kind: string, rest?: Fields) =>
  named('admissionregistration.k8s.io/v1', kind, { webhooks: [hook(rest)] });
const withVolume = (source: Fields) => post(dry(pods), pod('p', { volumes: [{ name: 'v', ...source }] }));

export const written = [
  sequence(
    'roles without rules',
    post(dry(`${rbac}/namespaces/{ns}/roles`), bound('Role', {})),
    post(dry(`${rbac}/clusterroles`), bound('ClusterRole', { aggregationRule: { clusterRoleSelectors: [{}] } })),
  ),
  sequence(
    'bindings that say too little',
    post(
      dry(`${rbac}/clusterrolebindings`),
      bound('ClusterRoleBinding', { roleRef, subjects: [{ kind: 'ServiceAccount', name: 'a' }] }),
    ),
    post(
      dry(`${rbac}/namespaces/{ns}/rolebindings`),
      bound('RoleBinding', { roleRef: {}, subjects: [{ kind: 'ServiceAccount' }] }),
    ),
    post(
      dry(`${rbac}/namespaces/{ns}/rolebindings`),
      bound('RoleBinding', {
        roleRef,
        subjects: [
          { kind: 'User', name: 'u', apiGroup: 'apps' },
          { kind: 'Robot', name: 'r' },
        ],
      }),
    ),
  ),
  sequence(
    'bindings of the group that goes without saying',
    post(
      dry(`${rbac}/namespaces/{ns}/rolebindings`),
      bound('RoleBinding', {
        roleRef: { ...roleRef, apiGroup: '' },
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'Group', name: 'g', apiGroup: '' },
          { kind: 'ServiceAccount', name: 's', namespace: 'ns', apiGroup: '' },
        ],
      }),
    ),
  ),
  sequence(
    'webhooks with what is needed',
    post(dry(`${webhooks}/validatingwebhookconfigurations`), hooks('ValidatingWebhookConfiguration')),
    post(dry(`${webhooks}/mutatingwebhookconfigurations`), hooks('MutatingWebhookConfiguration')),
  ),
  sequence(
    'webhooks that say too little',
    post(dry(`${webhooks}/mutatingwebhookconfigurations`), hooks('MutatingWebhookConfiguration', { name: 'short' })),
    post(
      dry(`${webhooks}/validatingwebhookconfigurations`),
      named('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
        webhooks: [{ name: 'w.example.com', clientConfig: {} }],
      }),
    ),
  ),
  sequence(
    'members that are written as nothing',
    post(
      deployments,
      deployment('d', {
        minReadySeconds: 0,
        paused: false,
        template: template({
          serviceAccountName: '',
          hostNetwork: false,
          nodeSelector: {},
          tolerations: [],
          volumes: [{ name: 'v', secret: { secretName: 's', optional: false } }],
          containers: [
            container({
              stdin: false,
              tty: false,
              env: [{ name: 'A', value: '' }],
              volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: false, subPath: '' }],
              livenessProbe: { initialDelaySeconds: 0, tcpSocket: { port: 80 } },
              ports: [{ containerPort: 80, hostPort: 0, name: '' }],
            }),
          ],
        }),
      }),
    ),
  ),
  sequence(
    'zeros that mean something',
    post(
      deployments,
      deployment('d', {
        replicas: 0,
        revisionHistoryLimit: 0,
        template: template({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 0,
          securityContext: { runAsUser: 0, runAsNonRoot: false },
          containers: [container({ securityContext: { privileged: false, allowPrivilegeEscalation: false } })],
        }),
      }),
    ),
  ),
  sequence(
    'services with node ports',
    post(services, service('a', { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 0 }] })),
    post(services, service('b', { ports: [{ port: 80, nodePort: 30_123 }] })),
  ),
  sequence(
    'replication controllers',
    post(
      controllers,
      named('v1', 'ReplicationController', {
        spec: { template: { metadata: { labels: { app: 'rc' } }, spec: { containers: [container()] } } },
      }),
    ),
    post(controllers, named('v1', 'ReplicationController', { spec: {} })),
  ),
  sequence(
    'autoscalers of the first version',
    post(
      autoscalers('v1'),
      named('autoscaling/v1', 'HorizontalPodAutoscaler', {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
          maxReplicas: 5,
          targetCPUUtilizationPercentage: 60,
        },
      }),
    ),
    get(`${autoscalers('v2')}/w`),
    get(`${autoscalers('v1')}/w`),
  ),
  sequence(
    'autoscalers with behaviour',
    post(
      autoscalers('v2'),
      named('autoscaling/v2', 'HorizontalPodAutoscaler', {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
          maxReplicas: 5,
          behavior: {
            scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
          },
        },
      }),
    ),
    get(`${autoscalers('v1')}/w`),
  ),
  sequence(
    'endpoints without a protocol',
    post(
      '/api/v1/namespaces/{ns}/endpoints',
      named('v1', 'Endpoints', { subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 1 }] }] }),
    ),
  ),
  sequence(
    'volumes that tell of the pod',
    withVolume({ downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } }),
  ),
  sequence(
    'volumes of earlier days',
    withVolume({ glusterfs: { endpoints: 'e', path: '/' } }),
    withVolume({ rbd: { monitors: ['a:1'], image: 'i' } }),
    withVolume({ cephfs: { monitors: ['a:1'] } }),
    withVolume({ flocker: { datasetName: 'd' } }),
    withVolume({ scaleIO: { gateway: 'g', system: 's', secretRef: { name: 's' }, volumeName: 'v' } }),
    withVolume({ storageos: { volumeName: 'v' } }),
    withVolume({ quobyte: { registry: 'a:1', volume: 'v' } }),
    withVolume({ azureFile: { secretName: 's', shareName: 'a', readOnly: false } }),
    withVolume({ gitRepo: { repository: 'https://example.com/a.git' } }),
  ),
  sequence(
    'annotations of earlier days',
    post('/api/v1/namespaces/{ns}/persistentvolumeclaims', {
      ...named('v1', 'PersistentVolumeClaim', {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      }),
      metadata: { name: 'w', annotations: { 'volume.beta.kubernetes.io/storage-class': 'fast' } },
    }),
    post('/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses', {
      ...named('networking.k8s.io/v1', 'Ingress', {
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      }),
      metadata: { name: 'w', annotations: { 'kubernetes.io/ingress.class': 'nginx' } },
    }),
  ),
  sequence('a secret with a key that is none', post(secrets, secret('s', { stringData: { 'a/b': 'c' } }))),
  sequence(
    'a persistent volume',
    post(
      dry('/api/v1/persistentvolumes'),
      named('v1', 'PersistentVolume', {
        spec: {
          storageClassName: '',
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        },
      }),
    ),
  ),
  sequence(
    'a definition converted by a webhook',
    post(dry('/apis/apiextensions.k8s.io/v1/customresourcedefinitions'), {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gadgets.written.example.com' },
      spec: {
        group: 'written.example.com',
        scope: 'Namespaced',
        preserveUnknownFields: false,
        names: { plural: 'gadgets', kind: 'Gadget' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { service: { namespace: 'ns', name: 'hooks' } },
          },
        },
      },
    }),
  ),
];
