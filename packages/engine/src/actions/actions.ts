// What people may do to a live object beside editing it: restart, pause, scale, run a CronJob now. As Argo CD's own
// actions for these kinds, written as values: an action makes an object to be patched or created. Pure.
import { gvkOf, type KubeObject, numberAt, recordAt, valueAt } from '@fairlead/kube';
import type { Action, ActionInput, ActionResult, ActionView } from './action.ts';
import { argoActions } from './argo-actions.ts';

const restart: Action = {
  describe: () => ({ iconClass: 'fa fa-fw fa-redo' }),
  run: ({ nowMs }) => {
    const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z') };
    return { effect: 'patch', body: { spec: { template: { metadata: { annotations } } } } };
  },
};

/** Two actions that set a switch; the one that would change nothing is disabled. */
const setSwitch = (field: string, value: boolean, iconClass: string): Action => ({
  describe: (object) => ({ disabled: (valueAt(object, 'spec', field) === true) === value, iconClass }),
  run: () => ({ effect: 'patch', body: { spec: { [field]: value } } }),
});

const scale: Action = {
  describe: (object) => ({
    params: [{ name: 'replicas', default: String(numberAt(object, 'spec', 'replicas') ?? 1) }],
  }),
  run: ({ parameters }) => {
    const text = parameters['replicas'] ?? '';
    if (!/^\d{1,6}$/.test(text))
      return { effect: 'refuse', reason: `replicas: ${JSON.stringify(text)} is not a whole number ≥ 0` };
    return { effect: 'patch', body: { spec: { replicas: Number(text) } } };
  },
};

const createJob: Action = {
  describe: () => ({ iconClass: 'fa fa-fw fa-plus', displayName: 'Create Job' }),
  run: ({ object, nowMs }) => {
    const template = recordAt(object, 'spec', 'jobTemplate');
    const { name, namespace, uid = '' } = object.metadata;
    const stamp = new Date(nowMs)
      .toISOString()
      .replaceAll(/[^0-9]/g, '')
      .slice(0, 14);
    const owner = {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      uid,
      blockOwnerDeletion: true,
      controller: true,
    };
    const metadata = {
      name: `${name.slice(0, 48)}-${stamp}`,
      ...(namespace ? { namespace } : {}),
      labels: recordAt(template, 'metadata', 'labels') as Record<string, string>, // the API server checks them
      annotations: {
        ...(recordAt(template, 'metadata', 'annotations') as Record<string, string>), // the same
        'cronjob.kubernetes.io/instantiate': 'manual',
      },
      ownerReferences: [owner],
    };
    return {
      effect: 'create',
      object: { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: recordAt(template, 'spec') },
    };
  },
};

const pause = setSwitch('paused', true, 'fa fa-fw fa-pause-circle');
const resume = setSwitch('paused', false, 'fa fa-fw fa-play-circle');
const suspend = setSwitch('suspend', true, 'fa fa-fw fa-pause-circle');
const wake = setSwitch('suspend', false, 'fa fa-fw fa-play-circle');

const actionsByKind: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  'apps/Deployment': { restart, pause, resume, scale },
  'apps/StatefulSet': { restart, scale },
  'apps/DaemonSet': { restart },
  'batch/CronJob': { 'create-job': createJob, suspend, resume: wake },
  'batch/Job': { suspend, resume: wake },
  ...argoActions,
};

function actionsOf(object: KubeObject): Readonly<Record<string, Action>> {
  const { group, kind } = gvkOf(object);
  return actionsByKind[`${group}/${kind}`] ?? {};
}

export function listActions(object: KubeObject): ActionView[] {
  return Object.entries(actionsOf(object)).map(([name, action]) => ({ name, ...action.describe(object) }));
}

export function runAction(name: string, input: ActionInput): ActionResult {
  const known = actionsOf(input.object);
  const action = Object.hasOwn(known, name) ? known[name] : undefined;
  if (action) return action.run(input);
  const allowed = Object.keys(known).join(', ') || 'none';
  return {
    effect: 'refuse',
    reason: `action ${JSON.stringify(name)} is not known for ${input.object.kind}; allowed: ${allowed}`,
  };
}
