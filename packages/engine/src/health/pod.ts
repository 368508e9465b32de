import { isRecord, type KubeObject, listAt, stringAt, valueAt } from '@fairlead/kube';
import { type Health, health, healthy } from './status.ts';

const ignoreRestartPolicy = 'argocd.argoproj.io/ignore-restart-policy';

export function podHealth(pod: KubeObject): Health {
  const restartPolicy = stringAt(pod, 'spec', 'restartPolicy') ?? 'Always';
  const message = stringAt(pod, 'status', 'message');
  const statuses = [...listAt(pod, 'status', 'initContainerStatuses'), ...listAt(pod, 'status', 'containerStatuses')];
  const staysUp = restartPolicy === 'Always' || pod.metadata.annotations?.[ignoreRestartPolicy] === 'true';
  if (staysUp) {
    const failing = statuses.filter((status) => isFailingReason(stringAt(status, 'state', 'waiting', 'reason') ?? ''));
    const messages = failing.map((status) => stringAt(status, 'state', 'waiting', 'message') ?? '');
    if (failing.length > 0) return health('Degraded', messages.filter((text) => text !== '').join(', '));
  }
  switch (stringAt(pod, 'status', 'phase')) {
    case 'Pending':
      return health('Progressing', message);
    case 'Succeeded':
      return health('Healthy', message);
    case 'Failed':
      return health('Degraded', message ?? failureMessage(statuses));
    case 'Running':
      return runningHealth(pod, { restartPolicy, statuses, message });
    default:
      return health('Unknown', message);
  }
}

const isFailingReason = (reason: string) =>
  reason.startsWith('Err') || reason.endsWith('Error') || reason.endsWith('BackOff');

function failureMessage(statuses: readonly unknown[]): string {
  for (const status of statuses) {
    const terminated = valueAt(status, 'state', 'terminated');
    if (!isRecord(terminated)) continue;
    const message = stringAt(terminated, 'message');
    if (message) return message;
    if (terminated['reason'] === 'OOMKilled') return 'OOMKilled';
    const exitCode = terminated['exitCode'];
    if (exitCode !== 0)
      return `container ${JSON.stringify(stringAt(status, 'name'))} failed with exit code ${exitCode}`;
  }
  return '';
}

function runningHealth(
  pod: KubeObject,
  facts: { restartPolicy: string; statuses: readonly unknown[]; message: string | undefined },
): Health {
  if (facts.restartPolicy !== 'Always') return health('Progressing', facts.message);
  const conditions = listAt(pod, 'status', 'conditions');
  const ready = conditions.find((condition) => stringAt(condition, 'type') === 'Ready');
  if (stringAt(ready, 'status') === 'True') return facts.message ? health('Healthy', facts.message) : healthy;
  const hasFallen = facts.statuses.some((status) => isRecord(valueAt(status, 'lastState', 'terminated')));
  return hasFallen ? health('Degraded', facts.message) : health('Progressing', facts.message);
}
