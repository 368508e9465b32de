export { changedFields, type FieldChanges, fieldsOf } from './changed-fields.ts';
export {
  differenceOf,
  type FieldSet,
  intersectionOf,
  isEmptySet,
  pathsOf,
  unionOf,
} from './field-set.ts';
export { createMergePatch, createThreeWayJsonMergePatch, jsonMergePatch } from './json-merge-patch.ts';
export { JsonPatchError, type JsonPatchOperation, jsonPatch } from './json-patch.ts';
export { builtInShape, customShape } from './kind-shapes.ts';
export {
  ApplyConflictError,
  type ApplyInput,
  applyConfiguration,
  type FieldConflict,
  type TrackInput,
  trackUpdate,
} from './managed-fields.ts';
export type { AtomicShape, KeyedListShape, SetShape, Shape, StructShape } from './shape.ts';
export { StrategicPatchError, strategicMergePatch } from './strategic-merge-patch.ts';
export { createThreeWayMergePatch, type ThreeWayInput, type ThreeWayPatch } from './three-way-patch.ts';
