// Endpoints: the ready pods behind each service.
import { equalJson, isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import { builtIn, type Controller, type ControllerContext, manager, splitKey } from './context.ts';
import { isPodReady } from './pod-state.ts';
import { portEntry, selects, watchServices } from './service-pods.ts';

export function startEndpoints(context: ControllerContext): Controller {
  return watchServices(context, 'endpoints', (key) => reconcile(context, key));
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
