// apps, batch, autoscaling, policy: what runs pods.
import {
  controllerOf,
  isRecord,
  type KubeObject,
  listAt,
  numberAt,
  recordAt,
  stringAt,
  valueAt,
} from '@fairlead/kube/object';
import { builtInShape, customShape } from '@fairlead/kube/patch';
import { firstAutoscaler, storedAutoscaler } from '../autoscaler-versions.ts';
import {
  ageColumn,
  ageOf,
  at,
  column,
  containerImages,
  containerNames,
  integer,
  labelsText,
  nameColumn,
  numberOr,
  ratio,
  wide,
} from '../columns.ts';
import { defaultAutoscaler, defaultFirstAutoscaler } from '../defaults/autoscaler.ts';
import {
  countTemplate,
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultStatefulSet,
} from '../defaults/workloads.ts';
import { withJobSelector } from '../job-selector.ts';
import { type Column, type ResourceRow, type ResourceType, resourceType } from '../resource-type.ts';
import { validateCronJob, validateJob, validateStatefulSet, validateWorkload } from '../validation/index.ts';

const kind = (group: string, row: Omit<ResourceRow, 'group' | 'version' | 'shape'>, version = 'v1'): ResourceType =>
  resourceType({ group, version, shape: builtInShape({ group, kind: row.kind }) ?? customShape, ...row });

const template = ['spec', 'template', 'spec', 'containers'] as const;
const jobTemplate = ['spec', 'jobTemplate', ...template] as const;
const podColumns: readonly Column[] = [
  wide('Containers', containerNames(...template)),
  wide('Images', containerImages(...template)),
  wide('Selector', labelsText('spec', 'selector', 'matchLabels')),
];
const scale = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: ['spec', 'selector'],
};
const workload = { categories: ['all'], hasStatus: true, hasGeneration: true } as const;

const scaled = ['spec', 'scaleTargetRef'] as const;

/** Nothing is measured here, so no present value is known. */
function autoscalerTargets(object: KubeObject): string {
  const metrics = listAt(object, 'spec', 'metrics').filter(isRecord);
  const texts = metrics.map((metric) => {
    const source = recordAt(metric, 'resource');
    const { averageUtilization, averageValue } = recordAt(source, 'target');
    const wanted = averageUtilization === undefined ? String(averageValue) : `${String(averageUtilization)}%`;
    return `${String(source['name'])}: <unknown>/${wanted}`;
  });
  return texts.length === 0 ? '<none>' : texts.join(', ');
}

const autoscaler = {
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  hasStatus: true,
  columns: [
    nameColumn,
    column('Reference', (object) => `${stringAt(object, ...scaled, 'kind')}/${stringAt(object, ...scaled, 'name')}`),
    column('Targets', autoscalerTargets),
    column('MinPods', (object) => String(numberAt(object, 'spec', 'minReplicas') ?? '<unset>')),
    integer('MaxPods', numberOr(0, 'spec', 'maxReplicas')),
    integer('Replicas', numberOr(0, 'status', 'currentReplicas')),
    ageColumn,
  ],
} as const;

export const appsKinds: readonly ResourceType[] = [
  kind('apps', {
    ...workload,
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    scale,
    defaults: defaultDeployment,
    validate: validateWorkload,
    prepareCreate: (object) => ({ ...object, status: {} }),
    columns: [
      nameColumn,
      column('Ready', ratio(['status', 'readyReplicas'], ['spec', 'replicas'])),
      column('Up-to-date', numberOr(0, 'status', 'updatedReplicas')),
      column('Available', numberOr(0, 'status', 'availableReplicas')),
      ageColumn,
      ...podColumns,
    ],
  }),
  kind('apps', {
    ...workload,
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    scale,
    defaults: defaultReplicaSet,
    validate: validateWorkload,
    selectableFields: ['status.replicas'],
    prepareCreate: (object) => ({ ...object, status: { replicas: 0 } }),
    columns: [
      nameColumn,
      integer('Desired', numberOr(0, 'spec', 'replicas')),
      integer('Current', numberOr(0, 'status', 'replicas')),
      integer('Ready', numberOr(0, 'status', 'readyReplicas')),
      ageColumn,
      ...podColumns,
    ],
  }),
  kind('apps', {
    ...workload,
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    scale,
    defaults: defaultStatefulSet,
    validate: validateStatefulSet,
    prepareCreate: (object) => ({ ...object, status: { replicas: 0, availableReplicas: 0 } }),
    columns: [
      nameColumn,
      column('Ready', ratio(['status', 'readyReplicas'], ['spec', 'replicas'])),
      ageColumn,
      ...podColumns.slice(0, 2),
    ],
  }),
  kind('apps', {
    ...workload,
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    defaults: defaultDaemonSet,
    validate: validateWorkload,
    prepareUpdate: countTemplate,
    prepareCreate: (object) => ({
      ...object,
      status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
    }),
    columns: [
      nameColumn,
      integer('Desired', numberOr(0, 'status', 'desiredNumberScheduled')),
      integer('Current', numberOr(0, 'status', 'currentNumberScheduled')),
      integer('Ready', numberOr(0, 'status', 'numberReady')),
      integer('Up-to-date', numberOr(0, 'status', 'updatedNumberScheduled')),
      integer('Available', numberOr(0, 'status', 'numberAvailable')),
      column('Node Selector', labelsText('spec', 'template', 'spec', 'nodeSelector')),
      ageColumn,
      ...podColumns,
    ],
  }),
  kind('apps', {
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    columns: [
      nameColumn,
      column('Controller', (object) => {
        const owner = controllerOf(object);
        return owner ? `${owner.kind.toLowerCase()}.${owner.apiVersion.split('/')[0]}/${owner.name}` : '<none>';
      }),
      integer('Revision', numberOr(0, 'revision')),
      ageColumn,
    ],
  }),
  kind('batch', {
    ...workload,
    kind: 'Job',
    plural: 'jobs',
    defaults: defaultJob,
    validate: validateJob,
    prepareCreate: (object) => ({ ...withJobSelector(object), status: {} }),
    columns: [
      nameColumn,
      column('Status', (object) =>
        String((listAt(object, 'status', 'conditions').at(-1) as { type?: unknown } | undefined)?.type ?? 'Running'),
      ),
      column('Completions', ratio(['status', 'succeeded'], ['spec', 'completions'])),
      column('Duration', (object, { nowMs }) =>
        at('status', 'startTime')(object, { nowMs }) ? ageOf(at('status', 'startTime')(object, { nowMs }), nowMs) : '',
      ),
      ageColumn,
      ...podColumns,
    ],
  }),
  kind('batch', {
    ...workload,
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    defaults: defaultCronJob,
    validate: validateCronJob,
    prepareCreate: (object) => ({ ...object, status: {} }),
    columns: [
      nameColumn,
      column('Schedule', at('spec', 'schedule')),
      column('Timezone', (object, context) => at('spec', 'timeZone')(object, context) ?? '<none>'),
      column('Suspend', (object, context) => (at('spec', 'suspend')(object, context) === true ? 'True' : 'False')),
      integer('Active', (object) => listAt(object, 'status', 'active').length),
      column('Last Schedule', (object, { nowMs }) =>
        at('status', 'lastScheduleTime')(object, { nowMs })
          ? ageOf(at('status', 'lastScheduleTime')(object, { nowMs }), nowMs)
          : '<none>',
      ),
      ageColumn,
      wide('Containers', containerNames(...jobTemplate)),
      wide('Images', containerImages(...jobTemplate)),
      wide('Selector', labelsText('spec', 'jobTemplate', 'spec', 'selector', 'matchLabels')),
    ],
  }),
  kind(
    'autoscaling',
    {
      ...autoscaler,
      defaults: defaultAutoscaler,
      prepareCreate: (object) => ({ ...object, status: { currentMetrics: null, desiredReplicas: 0 } }),
    },
    'v2',
  ),
  kind('autoscaling', {
    ...autoscaler,
    defaults: defaultFirstAutoscaler,
    prepareCreate: (object) => ({ ...object, status: { currentReplicas: 0, desiredReplicas: 0 } }),
    conversion: { fromStored: firstAutoscaler, toStored: storedAutoscaler },
  }),
  kind('policy', {
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    hasStatus: true,
    hasGeneration: true,
    prepareCreate: (object) => ({
      ...object,
      status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    }),
    columns: [
      nameColumn,
      column('Min Available', (object) => String(valueAt(object, 'spec', 'minAvailable') ?? 'N/A')),
      column('Max Unavailable', (object) => String(valueAt(object, 'spec', 'maxUnavailable') ?? 'N/A')),
      integer('Allowed Disruptions', numberOr(0, 'status', 'disruptionsAllowed')),
      ageColumn,
    ],
  }),
];
