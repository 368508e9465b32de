// What is in use is not taken away: claims stay until no pod uses them, volumes until no claim is bound to them.
import { type KubeObject, listAt, stringAt } from '@fairlead/kube/object';
import { KeyLoop } from '../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, keyOf, manager, splitKey } from './context.ts';

const claims = 'persistentvolumeclaims';
const volumes = 'persistentvolumes';
const finalizers = { claim: 'kubernetes.io/pvc-protection', volume: 'kubernetes.io/pv-protection' };

export function startStorageProtection(context: ControllerContext): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  const loop = new KeyLoop({ name: 'storage-protection', clock, log, reconcile: (key) => reconcile(context, key) });
  const unsubscribes = [
    store.subscribe(claims, ({ type, stored: { object } }) => {
      loop.add(keyOf(object));
      const volume = stringAt(object, 'spec', 'volumeName');
      if (type === 'DELETED' && volume) loop.add(`/${volume}`);
    }),
    store.subscribe(volumes, ({ stored: { object } }) => loop.add(keyOf(object))),
    store.subscribe('pods', ({ type, stored: { object } }) => {
      if (type !== 'DELETED' && !hasEnded(object)) return;
      for (const name of claimsOf(object)) loop.add(`${object.metadata.namespace}/${name}`);
    }),
  ];
  for (const resource of [claims, volumes]) {
    for (const { object } of store.collection(resource).scan()) loop.add(keyOf(object));
  }
  return {
    stop: () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      return loop.stop();
    },
  };
}

const hasEnded = (pod: KubeObject) => ['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? '');
const claimsOf = (pod: KubeObject) =>
  listAt(pod, 'spec', 'volumes').flatMap((volume) => stringAt(volume, 'persistentVolumeClaim', 'claimName') ?? []);

/** A key without a namespace names a volume. */
async function reconcile(context: ControllerContext, key: string): Promise<void> {
  const { objects } = context;
  const { namespace, name } = splitKey(key);
  const isVolume = namespace === '';
  const type = builtIn(objects, '', isVolume ? 'PersistentVolume' : 'PersistentVolumeClaim');
  const object = objects.find({ type, namespace, name })?.object;
  if (!object) return;
  if (isVolume && stringAt(object, 'status', 'phase') === 'Pending') {
    const available = { phase: 'Available' };
    const options = { manager, subresource: 'status' };
    await objects.update({ type, namespace, name }, (present) => ({ ...present, status: available }), options);
  }
  const finalizer = isVolume ? finalizers.volume : finalizers.claim;
  const isHeld = object.metadata.finalizers?.includes(finalizer) ?? false;
  if (!object.metadata.deletionTimestamp || !isHeld || isUsed(context, object)) return;
  const release = (present: KubeObject) => {
    const left = (present.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    return { ...present, metadata: { ...present.metadata, finalizers: left } };
  };
  await objects.update({ type, namespace, name }, release, { manager });
}

function isUsed({ objects: { store } }: ControllerContext, object: KubeObject): boolean {
  const { namespace, name } = object.metadata;
  if (!namespace) return store.byUid(stringAt(object, 'spec', 'claimRef', 'uid') ?? '') !== undefined;
  return [...store.collection('pods').scan({ namespace })].some(
    ({ object: pod }) => !hasEnded(pod) && claimsOf(pod).includes(name),
  );
}
