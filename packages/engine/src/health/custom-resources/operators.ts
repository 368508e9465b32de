// Kinds of widely used operators whose status needs more than one look.
import { type KubeObject, stringAt, valueAt } from '@fairlead/kube';
import { byCondition, conditionsOf, findCondition } from '../conditions.ts';
import { type Health, health } from '../status.ts';

const certificateReady = byCondition('Ready', 'Waiting for certificate');

/** A certificate that is being issued again is under way, although the old one may still be good. */
export function certificateHealth(object: KubeObject): Health {
  const issuing = findCondition(conditionsOf(object), 'Issuing', 'True');
  return issuing ? health('Progressing', issuing.message) : certificateReady(object);
}

export function clusterExternalSecretHealth(object: KubeObject): Health {
  const last = conditionsOf(object).at(-1);
  if (last?.status === 'True' && last.type === 'Ready') return health('Healthy', last.message);
  if (last?.status === 'True' && ['PartiallyReady', 'NotReady'].includes(last.type))
    return health('Degraded', last.message);
  return health('Progressing', 'Waiting for ClusterExternalSecret');
}

/** Strimzi: NotReady and Ready are two conditions. */
export function strimziHealth(waiting: string, isCluster = false): (object: KubeObject) => Health {
  return (object) => {
    for (const { type, status, reason, message } of conditionsOf(object)) {
      if (status !== 'True') continue;
      if (type === 'NotReady' && !(isCluster && reason === 'Creating')) return health('Degraded', message);
      if (type === 'Ready') return health('Healthy');
    }
    return health('Progressing', waiting);
  };
}

export function volumeSnapshotHealth(object: KubeObject): Health {
  if (valueAt(object, 'status', 'readyToUse') === true) return health('Healthy', 'Ready to use');
  if (valueAt(object, 'status', 'error') !== undefined)
    return health('Degraded', stringAt(object, 'status', 'error', 'message'));
  return health('Progressing', 'Waiting for status');
}

export function prometheusHealth(object: KubeObject): Health {
  const available = conditionsOf(object).findLast(({ type }) => type === 'Available');
  if (!available) return health('Progressing', 'Waiting for initialization');
  if (available.status === 'True') return health('Healthy', 'All instances are available');
  const isComing = available.reason === 'SomePodsNotReady';
  return health(isComing ? 'Progressing' : 'Degraded', available.message || available.reason);
}

export function knativeServiceHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object);
  if (valueAt(object, 'status', 'conditions') === undefined) return health('Progressing', 'Waiting for status update.');
  const open = conditions.filter(({ status }) => status === 'False' || status === 'Unknown');
  const done = conditions.filter(
    ({ type, status }) => status === 'True' && ['ConfigurationsReady', 'RoutesReady', 'Ready'].includes(type),
  );
  if (open.length === 0 && done.length === 3) return health('Healthy', 'Knative Service is healthy.');
  const words = open.map(({ type, status, reason, message }) => {
    const since = reason ? `, since ${reason}.` : '';
    return `${type} is ${status}${since}${message ? ` ${message}` : ''}\n`;
  });
  const isFailed = open.some(({ status }) => status === 'False');
  return health(isFailed ? 'Degraded' : 'Progressing', words.join(''));
}

export function nodeClaimHealth(object: KubeObject): Health {
  const observed = valueAt(object, 'status', 'observedGeneration');
  const { generation } = object.metadata;
  if (generation !== undefined && observed !== undefined && observed !== generation)
    return health('Progressing', 'Waiting for NodeClaim spec to be reconciled');
  const conditions = conditionsOf(object);
  const leaving = findCondition(conditions, 'Disrupting', 'True');
  if (leaving) return health('Suspended', leaving.message);
  const ready = conditions.find(({ type, status }) => type === 'Ready' && status !== 'Unknown');
  if (ready) return health(ready.status === 'True' ? 'Healthy' : 'Degraded', ready.message);
  const steps = [
    ['Initialized', 'Node initialized, waiting for Ready'],
    ['Registered', 'Node registered, waiting for initialization'],
    ['Launched', 'Node launched, waiting for registration'],
  ] as const;
  const reached = steps.find(([type]) => findCondition(conditions, type, 'True'));
  return health('Progressing', reached?.[1] ?? 'Waiting for NodeClaim to be launched');
}

/** RabbitMQ's topology operator: one condition with a fixed reason either way. */
export function rabbitmqHealth(what: string): (object: KubeObject) => Health {
  return (object) => {
    for (const { type, status, reason } of conditionsOf(object)) {
      if (type !== 'Ready') continue;
      if (status === 'True' && reason === 'SuccessfulCreateOrUpdate')
        return health('Healthy', `RabbitMQ ${what} ready`);
      if (status === 'False' && reason === 'FailedCreateOrUpdate')
        return health('Degraded', `RabbitMQ ${what} failed to be created or updated`);
    }
    return health('Unknown', `RabbitMQ ${what} status is unknown`);
  };
}
