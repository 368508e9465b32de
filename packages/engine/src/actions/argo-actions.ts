// Actions on Argo's own kinds, as Argo CD has them built in: Rollouts are steered by fields of their spec and status, Workflows
// are made of templates. Pure.
import { type KubeObject, listAt, numberAt, recordAt, stringAt, valueAt } from '@fairlead/kube';
import type { Action, ActionResult } from './action.ts';

const patch = (body: object): ActionResult => ({ effect: 'patch', body });
const status = (fields: object): ActionResult => patch({ status: fields });

const isPaused = (rollout: KubeObject): boolean =>
  valueAt(rollout, 'status', 'pauseConditions') === undefined
    ? valueAt(rollout, 'spec', 'paused') === true
    : hasPauseConditions(rollout);
const hasPauseConditions = (rollout: KubeObject) => listAt(rollout, 'status', 'pauseConditions').length > 0;
const isAborted = (rollout: KubeObject) => valueAt(rollout, 'status', 'abort') === true;
/** What runs is what is wanted, or neither is known yet. */
const isPromoted = (rollout: KubeObject) =>
  stringAt(rollout, 'status', 'currentPodHash') === stringAt(rollout, 'status', 'stableRS');
const stepsOf = (rollout: KubeObject) => listAt(rollout, 'spec', 'strategy', 'canary', 'steps');
const stepOf = (rollout: KubeObject) => numberAt(rollout, 'status', 'currentStepIndex');

/** Up to 0.9 the field held a hash, and a Rollout was promoted by its step. */
function isBeforePromoteFull({ metadata, ...rollout }: KubeObject): boolean {
  const observed = Number(valueAt(rollout, 'status', 'observedGeneration') ?? Number.NaN);
  return Number.isNaN(observed) || observed > (metadata.generation ?? 0);
}

const promoteFull: Action = {
  describe: (rollout) => {
    const isLimited = isBeforePromoteFull(rollout) && valueAt(rollout, 'spec', 'strategy', 'blueGreen') !== undefined;
    return { disabled: valueAt(rollout, 'status') === undefined || isPromoted(rollout) || isLimited };
  },
  run: ({ object }) => {
    if (!isBeforePromoteFull(object)) return status({ promoteFull: true });
    const steps = stepsOf(object).length;
    return status({ abort: null, ...(steps > 0 ? { currentStepIndex: steps } : {}) });
  },
};

const skipCurrentStep: Action = {
  describe: (rollout) => {
    const steps = stepsOf(rollout).length;
    return { disabled: steps === 0 || stepOf(rollout) === steps };
  },
  run: ({ object }) => {
    const step = stepOf(object) ?? 0;
    if (step >= stepsOf(object).length) return patch({});
    return status({ ...(hasPauseConditions(object) ? { pauseConditions: null } : {}), currentStepIndex: step + 1 });
  },
};

const rollout: Readonly<Record<string, Action>> = {
  restart: {
    describe: () => ({ displayName: 'Restart Pods' }),
    run: ({ nowMs }) => patch({ spec: { restartAt: secondsOf(nowMs) } }),
  },
  resume: {
    describe: (object) => ({ disabled: !isPaused(object) }),
    run: ({ object }) =>
      patch({
        ...(hasPauseConditions(object) ? { status: { pauseConditions: null } } : {}),
        ...(valueAt(object, 'spec', 'paused') === true ? { spec: { paused: false } } : {}),
      }),
  },
  abort: {
    describe: (object) => ({ disabled: isPromoted(object) || isAborted(object) }),
    run: () => status({ abort: true }),
  },
  retry: {
    describe: (object) => ({ disabled: isPromoted(object) || !isAborted(object) }),
    run: () => status({ abort: null }),
  },
  pause: {
    describe: (object) => ({
      disabled: isPromoted(object) || isAborted(object) || valueAt(object, 'spec', 'paused') === true,
    }),
    run: () => patch({ spec: { paused: true } }),
  },
  'promote-full': promoteFull,
  'skip-current-step': skipCurrentStep,
};

const endPhases = ['Successful', 'Failed', 'Error', 'Inconclusive'];
const terminate: Action = {
  describe: (run) => ({
    disabled: valueAt(run, 'spec', 'terminate') === true || endPhases.includes(stringAt(run, 'status', 'phase') ?? ''),
  }),
  run: () => patch({ spec: { terminate: true } }),
};

const prefix = 'workflows.argoproj.io';
const createView = { iconClass: 'fa fa-fw fa-plus', displayName: 'Create Workflow' };

/** Where Argo CD's script writes a scheduled time that is none, and finalizers where nobody reads them, this does not. */
const createOfCronWorkflow: Action = {
  describe: () => createView,
  run: ({ object, nowMs }) => {
    const given = recordAt(object, 'spec', 'workflowMetadata');
    const instance = object.metadata.labels?.[`${prefix}/controller-instanceid`];
    const finalizers = listAt(given, 'finalizers').filter((each) => typeof each === 'string');
    return createWorkflow(object, nowMs, {
      labels: {
        ...recordAt(given, 'labels'),
        [`${prefix}/cron-workflow`]: object.metadata.name,
        ...(instance === undefined ? {} : { [`${prefix}/controller-instanceid`]: instance }),
      },
      annotations: { ...recordAt(given, 'annotations'), [`${prefix}/scheduled-time`]: secondsOf(nowMs) },
      ...(finalizers.length > 0 ? { finalizers } : {}),
      spec: recordAt(object, 'spec', 'workflowSpec'),
    });
  },
};

const createOfTemplate: Action = {
  describe: () => createView,
  run: ({ object, nowMs }) =>
    createWorkflow(object, nowMs, {
      labels: { [`${prefix}/workflow-template`]: object.metadata.name },
      spec: { workflowTemplateRef: { name: object.metadata.name } },
    }),
};

interface Made {
  readonly labels: object;
  readonly annotations?: object;
  readonly finalizers?: readonly string[];
  readonly spec: object;
}

function createWorkflow(source: KubeObject, nowMs: number, { spec, ...made }: Made): ActionResult {
  const { name, namespace, uid = '' } = source.metadata;
  const minute = secondsOf(nowMs).replaceAll(/\D/g, '').slice(0, 12);
  const metadata = {
    name: `${name}-${minute}`,
    ...(namespace ? { namespace } : {}),
    ...made,
    ownerReferences: [{ apiVersion: source.apiVersion, kind: source.kind, name, uid }],
  };
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', metadata, spec };
  return { effect: 'create', object: object as KubeObject }; // labels and annotations are checked by the API server
}

const toggleAutoSync: Action = {
  describe: (application) => ({ displayName: `${isAutomated(application) ? 'Disable' : 'Enable'} Auto-Sync` }),
  run: ({ object }) => patch({ spec: { syncPolicy: { automated: { enabled: !isAutomated(object) } } } }),
};

function isAutomated(application: KubeObject): boolean {
  const automated = valueAt(application, 'spec', 'syncPolicy', 'automated');
  return automated !== undefined && automated !== null && valueAt(automated, 'enabled') !== false;
}

const secondsOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

export const argoActions: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  'argoproj.io/Rollout': rollout,
  'argoproj.io/AnalysisRun': { terminate },
  'argoproj.io/CronWorkflow': { 'create-workflow': createOfCronWorkflow },
  'argoproj.io/WorkflowTemplate': { 'create-workflow': createOfTemplate },
  'argoproj.io/Application': { 'toggle-auto-sync': toggleAutoSync },
};
