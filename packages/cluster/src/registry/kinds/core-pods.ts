// The core group: pods, and what makes them by an older way.
import { isRecord, type KubeObject, listAt, numberAt, recordAt, stringAt } from '@fairlead/kube/object';
import {
  ageColumn,
  column,
  containerImages,
  containerNames,
  integer,
  labelsText,
  nameColumn,
  wide,
} from '../columns.ts';
import { admitPod, defaultPod, defaultPodTemplate } from '../defaults/pod-spec.ts';
import { defaultReplicationController } from '../defaults/workloads.ts';
import { podColumns } from '../pod-columns.ts';
import type { ResourceType } from '../resource-type.ts';
import { validatePod, validateReplicationController } from '../validation/index.ts';
import { podWarnings } from '../warnings.ts';
import { core } from './core-row.ts';

/** The list of addresses follows the one address that older writers know. */
function withAddresses(status: unknown): unknown {
  const podIP = stringAt(status, 'podIP');
  if (!isRecord(status) || !podIP || listAt(status, 'podIPs').length > 0) return status;
  return { ...status, podIPs: [{ ip: podIP }] };
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

export const podKinds: readonly ResourceType[] = [
  core({
    kind: 'Pod',
    answersDeleted: true,
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
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
    warnings: podWarnings('spec'),
    // A pod that no node has taken has nothing to wait for.
    graceSeconds: (object) =>
      stringAt(object, 'spec', 'nodeName') ? (numberAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30) : 0,
    columns: podColumns,
  }),
  core({
    kind: 'PodTemplate',
    answersDeleted: true,
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
    kind: 'ReplicationController',
    defaults: defaultReplicationController,
    validate: validateReplicationController,
    warnings: podWarnings('spec', 'template', 'spec'),
    prepareCreate: (object) => ({ ...object, status: { replicas: 0 } }),
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: ['all'],
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
