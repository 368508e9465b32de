import { type GroupVersionKind, gvkOf, parseApiVersion } from './group-version-kind.ts';
import type { KubeObject } from './kube-object.ts';

/** Points at one object. The version says in which form to read it, not which object it is. */
export interface ResourceRef extends GroupVersionKind {
  readonly namespace?: string | undefined;
  readonly name: string;
}

export function refOf(object: KubeObject): ResourceRef {
  const { namespace, name } = object.metadata;
  return { ...gvkOf(object), ...(namespace ? { namespace } : {}), name };
}

/** `group/Kind/namespace/name`, the same for every version of a kind; empty group and namespace stay empty. */
export function refKey(ref: Omit<ResourceRef, 'version'>): string {
  return `${ref.group}/${ref.kind}/${ref.namespace ?? ''}/${ref.name}`;
}

export function objectKey(object: KubeObject): string {
  const { group } = parseApiVersion(object.apiVersion);
  return `${group}/${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

/** The inverse of `objectKey`, without the version that a key does not carry. */
export function parseObjectKey(key: string): Omit<ResourceRef, 'version'> {
  const [group = '', kind = '', namespace = '', name = ''] = key.split('/');
  return { group, kind, ...(namespace ? { namespace } : {}), name };
}
