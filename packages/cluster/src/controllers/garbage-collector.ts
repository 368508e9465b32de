// Objects go with their owners: in the background after them, in the foreground before them, or not at all (orphan).
import type { KubeObject } from '@fairlead/kube/object';
import { foregroundFinalizer, orphanFinalizer } from '../objects/index.ts';
import { KeyLoop } from '../reconcile/index.ts';
import type { Stored, StoreEvent } from '../storage/index.ts';
import { type Controller, type ControllerContext, manager, targetOf } from './context.ts';

export function startGarbageCollector(context: ControllerContext): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  const loop = new KeyLoop({ name: 'garbage-collector', clock, log, reconcile: (uid) => reconcile(context, uid) });
  const unsubscribe = store.subscribe('*', (event) => {
    for (const uid of affected(context, event)) loop.add(uid);
  });
  for (const resource of store.resources()) {
    for (const { object } of store.collection(resource).scan())
      if (needsLook(context, object)) loop.add(object.metadata.uid ?? '');
  }
  return {
    stop: () => {
      unsubscribe();
      return loop.stop();
    },
  };
}

function affected(context: ControllerContext, { type, stored }: StoreEvent): readonly string[] {
  const { uid = '', ownerReferences = [] } = stored.object.metadata;
  if (type === 'DELETED') {
    const dependents = context.objects.store.dependentsOf(uid).map(({ object }) => object.metadata.uid ?? '');
    // An owner that waits for its dependents may be able to go now.
    return [...dependents, ...ownerReferences.map((owner) => owner.uid)];
  }
  return needsLook(context, stored.object) ? [uid] : [];
}

function needsLook({ objects }: ControllerContext, { metadata }: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], ownerReferences = [] } = metadata;
  if (deletionTimestamp && (finalizers.includes(foregroundFinalizer) || finalizers.includes(orphanFinalizer)))
    return true;
  return ownerReferences.some((owner) => !objects.store.byUid(owner.uid));
}

async function reconcile(context: ControllerContext, uid: string): Promise<void> {
  const stored = context.objects.store.byUid(uid);
  if (!stored) return;
  const { deletionTimestamp, finalizers = [] } = stored.object.metadata;
  if (deletionTimestamp && finalizers.includes(orphanFinalizer)) await orphan(context, stored);
  else if (deletionTimestamp && finalizers.includes(foregroundFinalizer)) await deleteForeground(context, stored);
  else if (!deletionTimestamp) await collect(context, stored);
}

async function collect(context: ControllerContext, stored: Stored): Promise<void> {
  const { objects } = context;
  const { ownerReferences = [], uid } = stored.object.metadata;
  const missing = ownerReferences.filter((owner) => !objects.store.byUid(owner.uid));
  if (missing.length === 0) return;
  const target = targetOf(objects, stored);
  if (!target) return;
  if (missing.length === ownerReferences.length) {
    await objects.delete(target, { propagationPolicy: 'Background', preconditions: { uid } });
    return;
  }
  await dropOwners(context, stored, new Set(missing.map((owner) => owner.uid)));
}

async function dropOwners({ objects }: ControllerContext, stored: Stored, uids: ReadonlySet<string>): Promise<void> {
  const target = targetOf(objects, stored);
  if (!target) return;
  const change = (present: KubeObject) => {
    const ownerReferences = (present.metadata.ownerReferences ?? []).filter((owner) => !uids.has(owner.uid));
    return {
      ...present,
      metadata: { ...present.metadata, ownerReferences: ownerReferences.length > 0 ? ownerReferences : undefined },
    };
  };
  await objects.update(target, change, { manager });
}

async function orphan(context: ControllerContext, stored: Stored): Promise<void> {
  const uid = stored.object.metadata.uid ?? '';
  const dependents = context.objects.store.dependentsOf(uid);
  await Promise.all(dependents.map((dependent) => dropOwners(context, dependent, new Set([uid]))));
  await dropFinalizer(context, stored, orphanFinalizer);
}

async function deleteForeground(context: ControllerContext, stored: Stored): Promise<void> {
  const { objects } = context;
  const { store } = objects;
  const uid = stored.object.metadata.uid ?? '';
  for (const dependent of store.dependentsOf(uid)) {
    const target = targetOf(objects, dependent);
    const { deletionTimestamp, uid: dependentUid = '' } = dependent.object.metadata;
    if (!target || deletionTimestamp) continue;
    const propagationPolicy = store.dependentsOf(dependentUid).length > 0 ? 'Foreground' : 'Background';
    await objects.delete(target, { propagationPolicy, preconditions: { uid: dependentUid } });
  }
  const isBlocked = store
    .dependentsOf(uid)
    .some(({ object }) =>
      object.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
    );
  if (!isBlocked) await dropFinalizer(context, stored, foregroundFinalizer);
}

async function dropFinalizer({ objects }: ControllerContext, stored: Stored, finalizer: string): Promise<void> {
  const target = targetOf(objects, stored);
  if (!target) return;
  const change = (present: KubeObject) => {
    const finalizers = (present.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    return { ...present, metadata: { ...present.metadata, finalizers } };
  };
  await objects.update(target, change, { manager });
}
