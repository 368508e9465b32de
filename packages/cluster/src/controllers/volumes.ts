// PersistentVolumeClaims: each is given a volume of its class at once, as a provisioner would. Nothing is stored anywhere.
// The class `standard` is the default; claims of classes that another provisioner serves stay pending.
import { type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import { KeyLoop } from '../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, keyOf, manager, splitKey } from './context.ts';

const provisioner = 'fairlead.io/simulated';
const defaultMark = 'storageclass.kubernetes.io/is-default-class';

export function startVolumes(context: ControllerContext): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  const loop = new KeyLoop({
    name: 'persistentvolumeclaim',
    clock,
    log,
    reconcile: (key) => (key === '' ? ensureClass(context) : reconcile(context, key)),
  });
  const addAll = () => {
    for (const { object } of store.collection('persistentvolumeclaims').scan()) loop.add(keyOf(object));
  };
  const unsubscribes = [
    store.subscribe('persistentvolumeclaims', ({ type, stored: { object } }) => {
      if (type === 'DELETED') loop.add(`/${volumeName(object)}`);
      else loop.add(keyOf(object));
    }),
    store.subscribe('storage.k8s.io/storageclasses', ({ type }) => type !== 'DELETED' && addAll()),
  ];
  loop.add('');
  addAll();
  for (const { object } of store.collection('persistentvolumes').scan()) loop.add(keyOf(object));
  return {
    stop: () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      return loop.stop();
    },
  };
}

/** Made at the start when there is no class at all: who has classes of their own has chosen a default. */
async function ensureClass({ objects }: ControllerContext): Promise<void> {
  const type = builtIn(objects, 'storage.k8s.io', 'StorageClass');
  if (objects.store.collection(type.storageKey).size > 0) return;
  const standard: KubeObject = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'standard', annotations: { [defaultMark]: 'true' } },
    provisioner,
  };
  await objects.create(type, '', standard, { manager });
}

const volumeName = (claim: KubeObject) => `pvc-${claim.metadata.uid}`;

/** Volumes have no namespace: a key without one names a volume whose claim may be gone. */
async function reconcile(context: ControllerContext, key: string): Promise<void> {
  const { objects } = context;
  const { namespace, name } = splitKey(key);
  if (namespace === '') return reclaim(context, name);
  const claim = objects.store.read('persistentvolumeclaims', namespace, name)?.object;
  if (!claim || claim.metadata.deletionTimestamp || stringAt(claim, 'status', 'phase') === 'Bound') return;
  const storageClass = classOf(context, claim);
  const named = stringAt(claim, 'spec', 'storageClassName');
  if (!storageClass && named) {
    const message = `storageclass.storage.k8s.io ${JSON.stringify(named)} not found`;
    const component = 'persistentvolume-controller';
    context.events.record({ about: claim, type: 'Warning', reason: 'ProvisioningFailed', message, component });
  }
  if (!storageClass || stringAt(storageClass, 'provisioner') !== provisioner) return;
  await provision(context, claim, storageClass);
}

/** A claim that names no class gets the default one, also when that comes later; '' means none. */
function classOf({ objects }: ControllerContext, claim: KubeObject): KubeObject | undefined {
  const named = stringAt(claim, 'spec', 'storageClassName');
  const classes = [...objects.store.collection('storage.k8s.io/storageclasses').scan()].map(({ object }) => object);
  return classes.find(({ metadata }) =>
    named === undefined ? metadata.annotations?.[defaultMark] === 'true' : metadata.name === named,
  );
}

async function provision(
  { objects, events }: ControllerContext,
  claim: KubeObject,
  storageClass: KubeObject,
): Promise<void> {
  const volumes = builtIn(objects, '', 'PersistentVolume');
  const target = { type: volumes, namespace: '', name: volumeName(claim) };
  if (!objects.find(target)) await objects.create(volumes, '', newVolume(claim, storageClass), { manager });
  const bound = { phase: 'Bound' };
  await objects.update(target, (present) => ({ ...present, status: bound }), { manager, subresource: 'status' });
  const { namespace = '', name } = claim.metadata;
  const claimTarget = { type: builtIn(objects, '', 'PersistentVolumeClaim'), namespace, name };
  await objects.update(claimTarget, (present) => bind(present, storageClass), { manager });
  const { accessModes } = recordAt(claim, 'spec');
  const capacity = recordAt(claim, 'spec', 'resources', 'requests');
  const status = { ...bound, accessModes, capacity };
  await objects.update(claimTarget, (present) => ({ ...present, status }), { manager, subresource: 'status' });
  events.record({
    about: claim,
    type: 'Normal',
    reason: 'ProvisioningSucceeded',
    message: `Successfully provisioned volume ${target.name}`,
    component: provisioner,
  });
}

function bind(claim: KubeObject, storageClass: KubeObject): KubeObject {
  const annotations = {
    ...claim.metadata.annotations,
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
    'volume.kubernetes.io/storage-provisioner': provisioner,
  };
  const spec = {
    ...recordAt(claim, 'spec'),
    storageClassName: storageClass.metadata.name,
    volumeName: volumeName(claim),
  };
  return { ...claim, metadata: { ...claim.metadata, annotations }, spec };
}

function newVolume(claim: KubeObject, storageClass: KubeObject): KubeObject {
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName(claim), annotations: { 'pv.kubernetes.io/provisioned-by': provisioner } },
    spec: {
      accessModes: listAt(claim, 'spec', 'accessModes'),
      capacity: recordAt(claim, 'spec', 'resources', 'requests'),
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion },
      hostPath: { path: `/var/simulated/${namespace}/${name}`, type: '' },
      persistentVolumeReclaimPolicy: stringAt(storageClass, 'reclaimPolicy') ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      volumeMode: stringAt(claim, 'spec', 'volumeMode') ?? 'Filesystem',
    },
  };
}

/** What becomes of a volume of ours when its claim has gone. */
async function reclaim({ objects }: ControllerContext, name: string): Promise<void> {
  const target = { type: builtIn(objects, '', 'PersistentVolume'), namespace: '', name };
  const volume = objects.find(target)?.object;
  if (volume?.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] !== provisioner) return;
  if (objects.store.byUid(stringAt(volume, 'spec', 'claimRef', 'uid') ?? '')) return;
  if (stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Delete') await objects.delete(target, {});
  else
    await objects.update(target, (present) => ({ ...present, status: { phase: 'Released' } }), {
      manager,
      subresource: 'status',
    });
}
