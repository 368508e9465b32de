// Argo's own kinds beside Rollout: analysis, experiments, workflows, application sets.
import { type KubeObject, stringAt, valueAt } from '@fairlead/kube';
import { conditionsOf, findCondition } from '../conditions.ts';
import { type Health, health } from '../status.ts';

type Verdict = readonly [Health['status'], string];

const analysis: Readonly<Record<string, Verdict>> = {
  Pending: ['Progressing', 'Analysis run is running'],
  Running: ['Progressing', 'Analysis run is running'],
  Successful: ['Healthy', 'Analysis run completed successfully'],
  Failed: ['Degraded', 'Analysis run failed'],
  Error: ['Degraded', 'Analysis run had an error'],
  Inconclusive: ['Unknown', 'Analysis run was inconclusive'],
};

export function analysisRunHealth(object: KubeObject): Health {
  const verdict = analysis[stringAt(object, 'status', 'phase') ?? ''];
  if (!verdict) return health('Progressing', 'Waiting for analysis run to finish: status has not been reconciled.');
  const [status, words] = verdict;
  const own = status === 'Progressing' ? undefined : stringAt(object, 'status', 'message');
  return health(status, own ?? words);
}

const experiment: Readonly<Record<string, Verdict>> = {
  Pending: ['Progressing', 'Experiment is pending'],
  Running: ['Progressing', 'Experiment is running'],
  Successful: ['Healthy', 'Experiment is successful'],
  Failed: ['Degraded', 'Experiment has failed'],
  Error: ['Degraded', 'Experiment had an error'],
};

export function experimentHealth(object: KubeObject): Health {
  const verdict = experiment[stringAt(object, 'status', 'phase') ?? ''];
  if (!verdict) return health('Progressing', 'Waiting for experiment to finish: status has not been reconciled.');
  return health(...verdict);
}

export function workflowHealth(object: KubeObject): Health {
  const message = stringAt(object, 'status', 'message');
  switch (stringAt(object, 'status', 'phase') ?? '') {
    case '':
    case 'Pending':
    case 'Running':
      return health('Progressing', message);
    case 'Succeeded':
      return health('Healthy', message);
    case 'Failed':
    case 'Error':
      return health('Degraded', message);
    default:
      return health('Unknown', message);
  }
}

export function cronWorkflowHealth(object: KubeObject): Health {
  for (const { type, status, message } of conditionsOf(object)) {
    if (status !== 'True') continue;
    if (type === 'SpecError' || type === 'SubmissionError') return health('Degraded', message);
    if (type === 'Completed') return health('Healthy', message);
  }
  return health('Healthy', 'CronWorkflow is healthy.');
}

export function applicationSetHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object);
  const order: readonly (readonly [string, string, Health['status']])[] = [
    ['ErrorOccurred', 'True', 'Degraded'],
    ['ResourcesUpToDate', 'False', 'Degraded'],
    ['RolloutProgressing', 'True', 'Progressing'],
    ['ResourcesUpToDate', 'True', 'Healthy'],
  ];
  for (const [type, state, status] of order) {
    const found = findCondition(conditions, type, state);
    if (found) return health(status, found.message);
  }
  return health('Progressing', 'Waiting for the status to be reported');
}

export function eventBusHealth(object: KubeObject): Health {
  const deployed = conditionsOf(object).find(({ type, status }) => type === 'Deployed' && status !== 'Unknown');
  if (!deployed || valueAt(object, 'status') === undefined) return health('Progressing', 'Waiting for initialization');
  return health(deployed.status === 'True' ? 'Healthy' : 'Degraded', deployed.message || deployed.reason);
}
