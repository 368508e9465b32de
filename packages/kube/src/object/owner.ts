import type { KubeObject, OwnerReference } from './kube-object.ts';

/** The reference a controller puts on what it makes: it is the one controller, and foreground deletion waits for the child. */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { name, uid = '' } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

export function isOwnedBy(object: KubeObject, uid: string): boolean {
  return object.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;
}

export function isControlledBy(object: KubeObject, uid: string): boolean {
  return controllerOf(object)?.uid === uid;
}
