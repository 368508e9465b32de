// What administrators and charts of infrastructure bring: defaults, tables, patches. Named by the sequence's namespace,
// since the kinds have none.
import { apply, get, mergePatch, post, remove, sequence, strategicPatch } from '../sequence.ts';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
}

/** Made, shown as kubectl shows it, patched, applied over, and removed. */
function life({ group, kind, plural }: Kind, members: object, change: object) {
  const at = `/apis/${group}/v1/${plural}`;
  const object = { apiVersion: `${group}/v1`, kind, metadata: { name: '{ns}.example.com' }, ...members };
  const one = `${at}/{ns}.example.com`;
  return sequence(
    `the life of a ${kind}`,
    post(at, object),
    get(one, table),
    strategicPatch(one, { metadata: { labels: { a: 'b' } } }),
    mergePatch(one, change),
    apply(one, 'other', { ...object, metadata: { name: '{ns}.example.com', annotations: { a: 'b' } } }),
    get(one),
    remove(one),
    get(one),
  );
}

const admission = 'admissionregistration.k8s.io';
const flowControl = 'flowcontrol.apiserver.k8s.io';
const storage = 'storage.k8s.io';
const deploymentRules = {
  resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }],
};

const core = '/api/v1/namespaces/{ns}';
const made = (kind: string, members: object) => ({ apiVersion: 'v1', kind, metadata: { name: 'x' }, ...members });

export const administration = [
  sequence(
    'what a deletion answers',
    post(`${core}/services`, made('Service', { spec: { ports: [{ port: 80 }] } })),
    remove(`${core}/services/x`),
    post(`${core}/serviceaccounts`, made('ServiceAccount', {})),
    remove(`${core}/serviceaccounts/x`),
    post(`${core}/resourcequotas`, made('ResourceQuota', { spec: { hard: { pods: '1' } } })),
    remove(`${core}/resourcequotas/x`),
    post(`${core}/configmaps`, made('ConfigMap', {})),
    remove(`${core}/configmaps/x`),
    post(`${core}/secrets`, made('Secret', {})),
    remove(`${core}/secrets/x`),
  ),
  life(
    { group: admission, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' },
    {
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: deploymentRules,
        validations: [{ expression: 'object.spec.replicas <= 5' }],
      },
    },
    { spec: { failurePolicy: 'Ignore' } },
  ),
  life(
    { group: admission, kind: 'ValidatingAdmissionPolicyBinding', plural: 'validatingadmissionpolicybindings' },
    {
      spec: {
        policyName: 'policy.example.com',
        validationActions: ['Audit'],
        paramRef: { name: 'x', namespace: 'default', parameterNotFoundAction: 'Deny' },
        matchResources: { namespaceSelector: { matchLabels: { a: 'b' } } },
      },
    },
    { spec: { validationActions: ['Deny'] } },
  ),
  life({ group: 'node.k8s.io', kind: 'RuntimeClass', plural: 'runtimeclasses' }, { handler: 'runsc' }, {}),
  life(
    { group: storage, kind: 'CSIDriver', plural: 'csidrivers' },
    { spec: { tokenRequests: [{ audience: 'sts' }] } },
    { spec: { requiresRepublish: true } },
  ),
  life(
    { group: storage, kind: 'CSINode', plural: 'csinodes' },
    { spec: { drivers: [{ name: 'a', nodeID: 'b', topologyKeys: ['z'] }] } },
    {},
  ),
  life(
    { group: storage, kind: 'VolumeAttachment', plural: 'volumeattachments' },
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
    {},
  ),
  life(
    { group: flowControl, kind: 'PriorityLevelConfiguration', plural: 'prioritylevelconfigurations' },
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 32 } } } } },
    { spec: { limited: { lendablePercent: 10 } } },
  ),
];
