// The rules of a write that need nothing but the objects themselves. Pure.
import { equalJson, type KubeObject, type ObjectMeta } from '@fairlead/kube/object';
import type { ResourceType } from '../registry/index.ts';
import { badRequest } from './status-error.ts';

/** Whether a deletion that has begun must still wait. */
export function isHeld(type: ResourceType, object: KubeObject): boolean {
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata;
  return finalizers.length > 0 || deletionGracePeriodSeconds > 0 || (type.holdsDeletion?.(object) ?? false);
}

/** The object is of the kind, version and namespace that the path names. */
export function checkIdentity(type: ResourceType, namespace: string, object: KubeObject): void {
  const expected = type.group === '' ? type.version : `${type.group}/${type.version}`;
  if (object.kind !== type.kind) {
    throw badRequest(`the object provided is unrecognized: kind ${JSON.stringify(object.kind)} is not ${type.kind}`);
  }
  if (object.apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  const { namespace: given } = object.metadata;
  if (type.namespaced && given && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Where etcd would keep the object: Kubernetes tells it in some refusals. */
export function registryKey({
  type,
  namespace,
  name,
}: {
  type: ResourceType;
  namespace: string;
  name: string;
}): string {
  const folder = type.isBuiltIn ? type.plural : `${type.group}/${type.plural}`;
  return `/registry/${folder}/${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** A status that is not there is no member either. */
export function withStatus(object: KubeObject, status: unknown): KubeObject {
  const { status: _given, ...rest } = object;
  return (status === undefined ? rest : { ...rest, status }) as KubeObject; // identity members are still there
}

/** What is empty is not kept, of any kind: who writes it and reads it back finds nothing, and must not write again. */
export function withoutEmptyMembers(metadata: ObjectMeta): ObjectMeta {
  const empty = neverEmpty.filter((name) => metadata[name] && Object.keys(metadata[name]).length === 0);
  if (empty.length === 0) return metadata;
  return { ...metadata, ...Object.fromEntries(empty.map((name) => [name, undefined])) };
}
const neverEmpty = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** What only the server writes stays as it is, whatever the client sent. */
export function retainSystemFields(wanted: ObjectMeta, present: ObjectMeta): ObjectMeta {
  const { namespace, uid, resourceVersion, generation, creationTimestamp } = present;
  const { deletionTimestamp, deletionGracePeriodSeconds, generateName: base } = present;
  return {
    ...withoutEmptyMembers(wanted),
    namespace,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generateName: base,
    managedFields: wanted.managedFields ?? present.managedFields,
  };
}

/** The record of owners as a client sent it; what is no such record is passed over. */
export function readOwners(
  given: ObjectMeta['managedFields'],
  present: ObjectMeta['managedFields'],
): NonNullable<ObjectMeta['managedFields']> {
  const isValid = (given ?? []).every(
    ({ manager, operation, fieldsType }) =>
      // An entry that says nothing asks to forget the others.
      !manager || ((operation === 'Apply' || operation === 'Update') && fieldsType === 'FieldsV1'),
  );
  return ((isValid ? given : present) ?? []).filter(({ manager }) => manager);
}

/** Nobody owning anything is not written down. */
export function withoutEmptyOwners(object: KubeObject): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields?.length === 0 ? { ...object, metadata } : object;
}

/** Whether nothing but metadata (and status, where it has its own endpoint) differs. */
export function sameSpec(type: ResourceType, before: KubeObject, after: KubeObject): boolean {
  const rest = ({ metadata: _metadata, status, ...own }: KubeObject) => (type.hasStatus ? own : { ...own, status });
  return equalJson(rest(before), rest(after));
}
