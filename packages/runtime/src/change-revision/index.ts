export { ChangeRevisionController, type ChangeRevisionWriting, changeRevisionAnnotation } from './controller.ts';
