// EndpointSlices: the pods behind each service, a hundred to a slice.
import {
  controllerReference,
  equalJson,
  isControlledBy,
  isRecord,
  type KubeObject,
  listAt,
  recordAt,
  stringAt,
} from '@fairlead/kube/object';
import { builtIn, type Controller, type ControllerContext, manager, splitKey } from './context.ts';
import { isPodReady } from './pod-state.ts';
import { portEntry, selects, watchServices } from './service-pods.ts';

const sliceSize = 100;

export function startEndpointSlices(context: ControllerContext): Controller {
  return watchServices(context, 'endpointslices', (key) => reconcile(context, key));
}

/** Slices of a service that is gone are the garbage collector's. */
async function reconcile({ objects }: ControllerContext, key: string): Promise<void> {
  const { namespace, name } = splitKey(key);
  const service = objects.store.read('services', namespace, name)?.object;
  if (!service || service.metadata.deletionTimestamp) return;
  if (Object.keys(recordAt(service, 'spec', 'selector')).length === 0) return;
  const { uid = '' } = service.metadata;
  const type = builtIn(objects, 'discovery.k8s.io', 'EndpointSlice');
  const present = objects.store
    .dependentsOf(uid)
    .filter(({ resource, object }) => resource === type.storageKey && isControlledBy(object, uid))
    .map(({ object }) => object)
    .sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  const pods = [...objects.store.collection('pods').scan({ namespace })].map(({ object }) => object);
  const wanted = slicesOf(
    service,
    pods.filter((pod) => selects(service, pod) && stringAt(pod, 'status', 'podIP') !== undefined),
  );
  for (const [index, content] of wanted.entries()) {
    const slice = present[index];
    if (!slice) await objects.create(type, namespace, newSlice(service, content), { manager });
    else if (!equalJson(slice['endpoints'], content.endpoints) || !equalJson(slice['ports'], content.ports)) {
      await objects.update({ type, namespace, name: slice.metadata.name }, (before) => ({ ...before, ...content }), {
        manager,
      });
    }
  }
  for (const { metadata } of present.slice(wanted.length)) {
    await objects.delete({ type, namespace, name: metadata.name }, {});
  }
}

interface SliceContent {
  readonly endpoints: readonly object[];
  readonly ports: readonly object[];
}

/** A service without pods has one empty slice. */
function slicesOf(service: KubeObject, pods: readonly KubeObject[]): readonly SliceContent[] {
  const ports = listAt(service, 'spec', 'ports')
    .filter(isRecord)
    .map((port) => ({ name: '', ...portEntry(port, pods[0]) }));
  const count = Math.max(1, Math.ceil(pods.length / sliceSize));
  return Array.from({ length: count }, (_, index) => ({
    endpoints: pods.slice(index * sliceSize, (index + 1) * sliceSize).map(endpointOf),
    ports: pods.length === 0 ? [] : ports,
  }));
}

function endpointOf(pod: KubeObject): object {
  const { name, namespace, uid, deletionTimestamp } = pod.metadata;
  const isReady = isPodReady(pod);
  const isTerminating = deletionTimestamp !== undefined;
  return {
    addresses: [stringAt(pod, 'status', 'podIP')],
    conditions: { ready: isReady && !isTerminating, serving: isReady, terminating: isTerminating },
    nodeName: stringAt(pod, 'spec', 'nodeName'),
    targetRef: { kind: 'Pod', name, namespace, uid },
  };
}

function newSlice(service: KubeObject, content: SliceContent): KubeObject {
  const { name, namespace, labels } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: '',
      generateName: `${name}-`,
      namespace,
      labels: {
        ...labels,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': name,
      },
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    ...content,
  };
}
