// Services and the pods behind them: what Endpoints and EndpointSlices have in common.
import {
  type KubeObject,
  listAt,
  matchesSelector,
  numberAt,
  recordAt,
  selectorOf,
  stringAt,
} from '@fairlead/kube/object';
import { KeyLoop } from '../reconcile/index.ts';
import { type Controller, type ControllerContext, keyOf } from './context.ts';
import { isPodReady } from './pod-state.ts';

/** Calls `reconcile` with the key of a service when it, or what its pods show of themselves, has changed. */
export function watchServices(
  context: ControllerContext,
  name: string,
  reconcile: (key: string) => Promise<void>,
): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  const loop = new KeyLoop({ name, clock, log, reconcile });
  const unsubscribes = [
    store.subscribe('services', ({ stored }) => loop.add(keyOf(stored.object))),
    store.subscribe('pods', ({ stored, previous }) => {
      if (
        previous &&
        addressOf(previous.object) === addressOf(stored.object) &&
        previous.object.metadata.labels === stored.object.metadata.labels
      )
        return;
      const { namespace } = stored.object.metadata;
      for (const { object: service } of store.collection('services').scan({ namespace })) {
        const isConcerned =
          selects(service, stored.object) || (previous !== undefined && selects(service, previous.object));
        if (isConcerned) loop.add(keyOf(service));
      }
    }),
  ];
  for (const { object } of store.collection('services').scan()) loop.add(keyOf(object));
  return {
    stop: () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      return loop.stop();
    },
  };
}

/** What of a pod shows in endpoints; pods change in many other ways that need no look. */
const addressOf = (pod: KubeObject) =>
  `${stringAt(pod, 'status', 'podIP') ?? ''} ${isPodReady(pod)} ${pod.metadata.deletionTimestamp ?? ''}`;

export function selects(service: KubeObject, pod: KubeObject): boolean {
  const matchLabels = recordAt(service, 'spec', 'selector') as Record<string, string>; // label values are strings
  return Object.keys(matchLabels).length > 0 && matchesSelector(selectorOf({ matchLabels }), pod.metadata.labels);
}

/** A named target port means what the pod's containers call so. */
export function portEntry(port: Record<string, unknown>, pod: KubeObject | undefined): object {
  const { name, targetPort, protocol } = port;
  const named = listAt(pod, 'spec', 'containers')
    .flatMap((container) => listAt(container, 'ports'))
    .find((entry) => stringAt(entry, 'name') === targetPort);
  const number = typeof targetPort === 'number' ? targetPort : (numberAt(named, 'containerPort') ?? port['port']);
  return { ...(name === undefined ? {} : { name }), port: number, protocol };
}
