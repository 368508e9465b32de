// Shapes of the built-in kinds, from the patchStrategy, patchMergeKey, listType and mapType markers of Kubernetes 1.35's
// API types. Data only; a kind that is not here merges as plain JSON with keyed metadata.
import type { GroupVersionKind } from '../object/index.ts';
import type { KeyedListShape, Shape, StructShape } from './shape.ts';

const atomic: Shape = { type: 'atomic' };
const set: Shape = { type: 'set' };
const struct = (
  fields: Record<string, Shape>,
  flags: Omit<Partial<StructShape>, 'type' | 'fields'> = {},
): StructShape => ({
  type: 'struct',
  fields,
  ...flags,
});
const keyed = (key: string, item?: Shape, extra: Partial<KeyedListShape> = {}): KeyedListShape => ({
  type: 'keyed-list',
  mergeKey: key,
  keys: [key],
  ...(item ? { item } : {}),
  ...extra,
});
const oneValue = struct({}, { atomicForApply: true });

const conditions = keyed('type');
const status = struct({ conditions });
const metadata = struct({
  finalizers: set,
  ownerReferences: keyed('uid', oneValue),
});

const valueSources = struct({
  configMapKeyRef: oneValue,
  secretKeyRef: oneValue,
  fieldRef: oneValue,
  resourceFieldRef: oneValue,
});
const container = struct({
  env: keyed('name', struct({ valueFrom: valueSources })),
  ports: keyed('containerPort', undefined, {
    keys: ['containerPort', 'protocol'],
    keyDefaults: { protocol: 'TCP' },
  }),
  volumeMounts: keyed('mountPath'),
  volumeDevices: keyed('devicePath'),
  resizePolicy: atomic,
  resources: struct({ claims: { type: 'keyed-list', keys: ['name'] } }),
});
const podSpec = struct({
  containers: keyed('name', container),
  initContainers: keyed('name', container),
  ephemeralContainers: keyed('name', container),
  volumes: keyed('name', struct({}, { retainKeys: true })),
  imagePullSecrets: keyed('name', oneValue),
  hostAliases: keyed('ip'),
  topologySpreadConstraints: keyed('topologyKey', struct({ labelSelector: oneValue }), {
    keys: ['topologyKey', 'whenUnsatisfiable'],
  }),
  nodeSelector: oneValue,
  resourceClaims: keyed('name', struct({}, { retainKeys: true })),
  schedulingGates: keyed('name'),
});
const podTemplate = struct({ metadata, spec: podSpec });
const workload = struct({
  metadata,
  spec: struct({
    selector: oneValue,
    template: podTemplate,
    strategy: struct({}, { retainKeys: true }),
  }),
  status,
});
const job = struct({ selector: oneValue, template: podTemplate });
const rbacBinding = struct({ metadata, roleRef: oneValue, subjects: atomic });
const webhooks = struct({
  metadata,
  webhooks: keyed('name', struct({ namespaceSelector: oneValue, objectSelector: oneValue })),
});
const plain = struct({ metadata, status });

const shapes: Readonly<Record<string, StructShape>> = {
  '/Pod': struct({
    metadata,
    spec: podSpec,
    status: struct({ conditions, podIPs: keyed('ip') }),
  }),
  '/PodTemplate': struct({ metadata, template: podTemplate }),
  '/ReplicationController': struct({ metadata, spec: struct({ selector: oneValue, template: podTemplate }), status }),
  '/Service': struct({
    metadata,
    spec: struct({
      selector: oneValue,
      ports: keyed('port', undefined, { keys: ['port', 'protocol'], keyDefaults: { protocol: 'TCP' } }),
    }),
    status,
  }),
  '/ServiceAccount': struct({
    metadata,
    secrets: keyed('name', oneValue),
    imagePullSecrets: keyed('name', oneValue),
  }),
  '/Node': struct({
    metadata,
    spec: struct({ podCIDRs: set }),
    status: struct({ conditions, addresses: keyed('type') }),
  }),
  '/ConfigMap': plain,
  '/Secret': plain,
  '/Namespace': plain,
  '/Event': plain,
  '/Endpoints': plain,
  '/LimitRange': plain,
  '/ResourceQuota': plain,
  '/PersistentVolume': struct({ metadata, spec: struct({ claimRef: oneValue }), status }),
  '/PersistentVolumeClaim': struct({ metadata, spec: struct({ selector: oneValue, dataSource: oneValue }), status }),
  'apps/Deployment': workload,
  'apps/ReplicaSet': workload,
  'apps/DaemonSet': workload,
  'apps/StatefulSet': workload,
  'apps/ControllerRevision': plain,
  'batch/Job': struct({ metadata, spec: job, status }),
  'batch/CronJob': struct({ metadata, spec: struct({ jobTemplate: struct({ metadata, spec: job }) }), status }),
  'networking.k8s.io/Ingress': plain,
  'networking.k8s.io/IngressClass': plain,
  'networking.k8s.io/NetworkPolicy': struct({ metadata, spec: struct({ podSelector: oneValue }) }),
  'policy/PodDisruptionBudget': struct({ metadata, spec: struct({ selector: oneValue }), status }),
  'autoscaling/HorizontalPodAutoscaler': plain,
  'rbac.authorization.k8s.io/Role': plain,
  'rbac.authorization.k8s.io/ClusterRole': plain,
  'rbac.authorization.k8s.io/RoleBinding': rbacBinding,
  'rbac.authorization.k8s.io/ClusterRoleBinding': rbacBinding,
  'storage.k8s.io/StorageClass': plain,
  'scheduling.k8s.io/PriorityClass': plain,
  'coordination.k8s.io/Lease': plain,
  'discovery.k8s.io/EndpointSlice': plain,
  'events.k8s.io/Event': plain,
  'apiextensions.k8s.io/CustomResourceDefinition': plain,
  'apiregistration.k8s.io/APIService': plain,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhooks,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhooks,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': plain,
  'node.k8s.io/RuntimeClass': plain,
  'storage.k8s.io/CSIDriver': plain,
  'storage.k8s.io/CSINode': struct({ metadata, spec: struct({ drivers: keyed('name') }) }),
  'storage.k8s.io/VolumeAttachment': plain,
  'flowcontrol.apiserver.k8s.io/FlowSchema': struct({ metadata, status }),
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': struct({ metadata, status }),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': struct({
    metadata,
    spec: struct({ matchConditions: keyed('name'), variables: keyed('name') }),
  }),
};

/** What is known of every object, custom ones included. */
export const customShape: StructShape = struct({ metadata });

/** The shape of a built-in kind; undefined for kinds that strategic merge patch does not know. */
export function builtInShape({ group, kind }: Omit<GroupVersionKind, 'version'>): StructShape | undefined {
  const key = `${group}/${kind}`;
  return Object.hasOwn(shapes, key) ? shapes[key] : undefined;
}
