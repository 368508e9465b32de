// One object, many versions: kinds convert by renaming apiVersion only (the CRD strategy None; built-in kinds have one
// version each).
import { equalJson, type KubeObject } from '@fairlead/kube/object';
import type { ResourceType } from '../registry/index.ts';

const apiVersionOf = ({ group, version }: ResourceType) => (group === '' ? version : `${group}/${version}`);

export function inVersion(object: KubeObject, type: ResourceType): KubeObject {
  const apiVersion = apiVersionOf(type);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** The form that is kept: storage version, identity members first. */
export function storedVersion(object: KubeObject, type: ResourceType): KubeObject {
  const { apiVersion: _given, kind, metadata, ...rest } = object;
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
