// The Gateway API: conditions of the object, of its listeners, or of each parent of a route.
import { isRecord, type KubeObject, listAt, stringAt, valueAt } from '@fairlead/kube';
import { type Condition, conditionsOf, findCondition, toConditions } from '../conditions.ts';
import { type Health, health } from '../status.ts';

/** What keeps one set of conditions from being well; undefined when nothing does. */
function trouble(conditions: readonly Condition[], who: string, prefix = ''): Health | undefined {
  for (const type of ['ResolvedRefs', 'Accepted']) {
    const failed = findCondition(conditions, type, 'False');
    if (failed) return health('Degraded', `${prefix}${failed.message || `Failed condition: ${type}`}`);
  }
  const pending = conditions.find(({ type, status }) => type === 'Programmed' && status !== 'True');
  if (!pending) return undefined;
  return health('Progressing', `${prefix}${pending.message || `${who} is still being programmed`}`);
}

export function gatewayHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object);
  const own = trouble(conditions, 'Gateway');
  if (own) return own;
  const listeners = listAt(object, 'status', 'listeners');
  for (const listener of listeners) {
    const found = trouble(toConditions(listAt(listener, 'conditions')), 'Listener', 'Listener: ');
    if (found) return found;
  }
  const isTold = valueAt(object, 'status', 'conditions') !== undefined || listeners.length > 0;
  return isTold ? health('Healthy', 'Gateway is healthy') : health('Progressing', 'Waiting for Gateway status');
}

const isCurrent = ({ raw }: Condition, { metadata: { generation } }: KubeObject) => {
  const observed = isRecord(raw) ? raw['observedGeneration'] : undefined;
  return generation === undefined || observed === undefined || observed === generation;
};

export function gatewayClassHealth(object: KubeObject): Health {
  const accepted = conditionsOf(object).find((one) => one.type === 'Accepted' && isCurrent(one, object));
  const waiting = 'Waiting for GatewayClass status';
  if (!accepted) return health('Progressing', waiting);
  if (accepted.status === 'True') return health('Healthy', accepted.message || 'GatewayClass is accepted');
  if (accepted.status === 'False') return health('Degraded', accepted.message || 'GatewayClass is not accepted');
  return health('Progressing', accepted.message || waiting);
}

export function routeHealth(object: KubeObject): Health {
  const parents = listAt(object, 'status', 'parents').map((parent) => ({
    name: stringAt(parent, 'parentRef', 'name') ?? '',
    conditions: toConditions(listAt(parent, 'conditions')),
  }));
  const current = parents.filter(
    ({ conditions }) => conditions.length > 0 && conditions.every((condition) => isCurrent(condition, object)),
  );
  for (const { name, conditions } of current) {
    const found = trouble(conditions, 'Route', `Parent ${name}: `);
    if (found) return found;
  }
  if (current.length > 0) return health('Healthy', `${object.kind} is healthy`);
  return health('Progressing', `Waiting for ${object.kind} status`);
}
