export { ChangeRevisionController, type ChangeRevisionWriting, changeRevisionAnnotation } from './controller.ts';
export { keepsField } from './kept-field.ts';
