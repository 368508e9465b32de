// By which members the items of a list in a built-in kind are the same item. Lists that are not here, and all lists of
// kinds that Kubernetes does not define, are replaced whole.
const byField: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  volumes: ['name'],
  env: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  imagePullSecrets: ['name'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  resourceClaims: ['name'],
  schedulingGates: ['name'],
  ownerReferences: ['uid'],
  conditions: ['type'],
  webhooks: ['name'],
  matchConditions: ['name'],
  secrets: ['name'],
};

const builtInGroups = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/** Names on the way from the object to the list; items of lists have no name. */
export type ListPath = readonly string[];

export interface ListShape {
  readonly type: 'keyed' | 'set';
  readonly keys: readonly string[];
}

export const isBuiltInGroup = (group: string): boolean => builtInGroups.has(group);

export function listShape(group: string, path: ListPath): ListShape | undefined {
  if (!isBuiltInGroup(group)) return undefined;
  const [field = '', parent] = [path.at(-1), path.at(-2)];
  if (field === 'finalizers') return { type: 'set', keys: [] };
  if (field === 'ports') {
    if (parent === 'containers' || parent === 'initContainers') {
      return { type: 'keyed', keys: ['containerPort', 'protocol'] };
    }
    return group === '' && path.length === 2 ? { type: 'keyed', keys: ['port', 'protocol'] } : undefined;
  }
  const keys = Object.hasOwn(byField, field) ? byField[field] : undefined;
  return keys && { type: 'keyed', keys };
}
