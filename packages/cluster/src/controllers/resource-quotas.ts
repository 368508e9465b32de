// ResourceQuotas tell what their namespace uses of what they limit.
import { recordAt } from '@fairlead/kube/object';
import { quotaUsage } from '../objects/index.ts';
import { KeyLoop } from '../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, keyOf, manager, splitKey } from './context.ts';

const resource = 'resourcequotas';

export function startResourceQuotas(context: ControllerContext): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  const loop = new KeyLoop({ name: 'resourcequota', clock, log, reconcile: (key) => reconcile(context, key) });
  const unsubscribe = store.subscribe('*', ({ type, stored }) => {
    const { namespace } = stored.object.metadata;
    if (!namespace) return;
    if (stored.resource === resource) loop.add(keyOf(stored.object));
    // A change of what is there counts only for pods, which use nothing once they have ended.
    else if (type === 'MODIFIED' && stored.resource !== 'pods') return;
    else for (const { object } of store.collection(resource).scan({ namespace })) loop.add(keyOf(object));
  });
  for (const { object } of store.collection(resource).scan()) loop.add(keyOf(object));
  return {
    stop: () => {
      unsubscribe();
      return loop.stop();
    },
  };
}

async function reconcile({ objects }: ControllerContext, key: string): Promise<void> {
  const target = { type: builtIn(objects, '', 'ResourceQuota'), ...splitKey(key) };
  const quota = objects.find(target)?.object;
  if (!quota || quota.metadata.deletionTimestamp) return;
  const types = objects.registry.all().filter(({ namespaced }) => namespaced);
  const status = { hard: recordAt(quota, 'spec', 'hard'), used: quotaUsage(objects.store, types, quota) };
  await objects.update(target, (present) => ({ ...present, status }), { manager, subresource: 'status' });
}
