export { ChangeRevisionController, type ChangeRevisionWriting, changeRevisionAnnotation } from './controller.ts';
export { findChangeRevisions, type SourceAt } from './find-change.ts';
