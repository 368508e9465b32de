export {
  apiVersionOf,
  type GroupVersion,
  type GroupVersionKind,
  gvkOf,
  parseApiVersion,
} from './group-version-kind.ts';
export {
  equalJson,
  isRecord,
  type JsonRecord,
  listAt,
  numberAt,
  recordAt,
  stringAt,
  valueAt,
} from './json.ts';
export type { KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './kube-object.ts';
export {
  formatSelector,
  type LabelSelector,
  matchesSelector,
  type Requirement,
  type Selector,
  SelectorError,
  selectorOf,
} from './label-selector.ts';
export { controllerOf, controllerReference, isControlledBy, isOwnedBy } from './owner.ts';
export { objectKey, parseObjectKey, type ResourceRef, refKey, refOf } from './resource-ref.ts';
export { parseSelector } from './selector-text.ts';
