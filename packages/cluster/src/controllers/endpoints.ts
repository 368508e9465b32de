// Endpoints: the ready pods behind each service.
import {
  equalJson,
  isRecord,
  type KubeObject,
  listAt,
  matchesSelector,
  numberAt,
  recordAt,
  selectorOf,
  stringAt,
} from '@fairlead/kube/object';
import { KeyLoop } from '../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, keyOf, manager, splitKey } from './context.ts';
import { isPodReady } from './pod-state.ts';

export function startEndpoints(context: ControllerContext): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  const loop = new KeyLoop({ name: 'endpoints', clock, log, reconcile: (key) => reconcile(context, key) });
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

function selects(service: KubeObject, pod: KubeObject): boolean {
  const matchLabels = recordAt(service, 'spec', 'selector') as Record<string, string>; // label values are strings
  return Object.keys(matchLabels).length > 0 && matchesSelector(selectorOf({ matchLabels }), pod.metadata.labels);
}

async function reconcile({ objects }: ControllerContext, key: string): Promise<void> {
  const { namespace, name } = splitKey(key);
  const service = objects.store.read('services', namespace, name)?.object;
  const target = { type: builtIn(objects, '', 'Endpoints'), namespace, name };
  const present = objects.find(target)?.object;
  if (!service) {
    if (present) await objects.delete(target, {});
    return;
  }
  // Without a selector somebody else keeps the endpoints.
  if (Object.keys(recordAt(service, 'spec', 'selector')).length === 0) return;
  const pods = [...objects.store.collection('pods').scan({ namespace })].map(({ object }) => object);
  const subsets = subsetsOf(
    service,
    pods.filter((pod) => selects(service, pod) && !pod.metadata.deletionTimestamp),
  );
  const wanted: KubeObject = {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace, labels: service.metadata.labels },
    subsets,
  };
  if (!present) await objects.create(target.type, namespace, wanted, { manager });
  else if (!equalJson(present['subsets'], subsets))
    await objects.update(target, (before) => ({ ...before, subsets }), { manager });
}

function subsetsOf(service: KubeObject, pods: readonly KubeObject[]): readonly object[] {
  const placed = pods.filter((pod) => stringAt(pod, 'status', 'podIP') !== undefined);
  if (placed.length === 0) return [];
  const ready = placed.filter(isPodReady).map(addressEntry);
  const notReady = placed.filter((pod) => !isPodReady(pod)).map(addressEntry);
  return [
    {
      ...(ready.length > 0 ? { addresses: ready } : {}),
      ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
      ports: listAt(service, 'spec', 'ports')
        .filter(isRecord)
        .map((port) => portEntry(port, placed[0])),
    },
  ];
}

function addressEntry(pod: KubeObject): object {
  const { name, namespace, uid } = pod.metadata;
  const targetRef = { kind: 'Pod', namespace, name, uid };
  return { ip: stringAt(pod, 'status', 'podIP'), nodeName: stringAt(pod, 'spec', 'nodeName'), targetRef };
}

/** A named target port means what the pod's containers call so. */
function portEntry(port: Record<string, unknown>, pod: KubeObject | undefined): object {
  const { name, targetPort, protocol } = port;
  const named = listAt(pod, 'spec', 'containers')
    .flatMap((container) => listAt(container, 'ports'))
    .find((entry) => stringAt(entry, 'name') === targetPort);
  const number = typeof targetPort === 'number' ? targetPort : (numberAt(named, 'containerPort') ?? port['port']);
  return { ...(name === undefined ? {} : { name }), port: number, protocol };
}
