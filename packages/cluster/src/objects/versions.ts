// One object, many versions: kinds convert by renaming apiVersion only (the CRD strategy None), unless their row says how;
// nearly all built-in kinds have one version.
import { equalJson, type KubeObject } from '@fairlead/kube/object';
import type { ResourceType } from '../registry/index.ts';

const apiVersionOf = ({ group, version }: ResourceType) => (group === '' ? version : `${group}/${version}`);

export function inVersion(object: KubeObject, type: ResourceType): KubeObject {
  const apiVersion = apiVersionOf(type);
  if (object.apiVersion === apiVersion) return object;
  return type.conversion?.fromStored(object) ?? { ...object, apiVersion };
}

interface Versions {
  readonly given: ResourceType;
  /** The one that is kept. */
  readonly stored: ResourceType;
}

/** The form that is kept: storage version, identity members first. */
export function storedVersion(object: KubeObject, { given, stored: type }: Versions): KubeObject {
  const converted = object.apiVersion === apiVersionOf(type) ? object : (given.conversion?.toStored(object) ?? object);
  const { apiVersion: _given, kind, metadata, ...rest } = converted;
  return { apiVersion: apiVersionOf(type), kind, metadata, ...rest };
}

/** Equal but for bookkeeping that follows from a write rather than being its content. */
export function sameContent(a: KubeObject, b: KubeObject): boolean {
  return equalJson(content(a), content(b)) && equalJson(a.metadata.managedFields, b.metadata.managedFields);
}

function content(object: KubeObject): KubeObject {
  const { managedFields: _fields, resourceVersion: _version, ...metadata } = object.metadata;
  return { ...object, metadata: metadata as KubeObject['metadata'] }; // name is still there
}
