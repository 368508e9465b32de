// What a cloud or a local load balancer would do: Services of type LoadBalancer and Ingresses get the address of the node, as
// small clusters give it. Nothing listens there, as nothing runs in the simulated pods.
import { equalJson, type KubeObject, recordAt, stringAt } from '@fairlead/kube/object';
import { nodeAddress } from '../node/index.ts';
import { KeyLoop } from '../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, keyOf, manager, splitKey } from './context.ts';

interface Balanced {
  readonly group: string;
  readonly kind: string;
  readonly collection: string;
  /** Where it is to be reached; undefined for what somebody else looks after. */
  readonly addressesOf: (object: KubeObject) => readonly object[] | undefined;
}

const services: Balanced = {
  group: '',
  kind: 'Service',
  collection: 'services',
  addressesOf: (service) => {
    if (stringAt(service, 'spec', 'type') !== 'LoadBalancer') return [];
    return stringAt(service, 'spec', 'loadBalancerClass') ? undefined : [{ ip: nodeAddress, ipMode: 'VIP' }];
  },
};
const ingresses: Balanced = {
  group: 'networking.k8s.io',
  kind: 'Ingress',
  collection: 'networking.k8s.io/ingresses',
  addressesOf: () => [{ ip: nodeAddress }],
};

export function startLoadBalancer(context: ControllerContext): Controller {
  const running = [services, ingresses].map((balanced) => start(context, balanced));
  return {
    stop: async () => {
      for (const controller of running) await controller.stop();
    },
  };
}

function start(context: ControllerContext, balanced: Balanced): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  const { collection, kind } = balanced;
  const reconcile = (key: string) => settle(context, balanced, key);
  const loop = new KeyLoop({ name: `load balancer of ${kind}`, clock, log, reconcile });
  const unsubscribe = store.subscribe(collection, ({ stored }) => loop.add(keyOf(stored.object)));
  for (const { object } of store.collection(collection).scan()) loop.add(keyOf(object));
  return {
    stop: () => {
      unsubscribe();
      return loop.stop();
    },
  };
}

/** Written once: who sets another address afterwards (an ingress controller, say) keeps it. */
async function settle(
  { objects }: ControllerContext,
  { group, kind, addressesOf }: Balanced,
  key: string,
): Promise<void> {
  const target = { type: builtIn(objects, group, kind), ...splitKey(key) };
  const object = objects.find(target)?.object;
  const wanted = object && addressesOf(object);
  if (!object || !wanted || object.metadata.deletionTimestamp) return;
  const { ingress: present = [] } = recordAt(object, 'status', 'loadBalancer');
  const hasSome = !equalJson(present, []);
  if (hasSome === wanted.length > 0) return;
  const loadBalancer = wanted.length > 0 ? { ingress: wanted } : {};
  const rewrite = (before: KubeObject) => ({ ...before, status: { ...recordAt(before, 'status'), loadBalancer } });
  await objects.update(target, rewrite, { manager, subresource: 'status' });
}
