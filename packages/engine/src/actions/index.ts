export type { ActionWrite } from './action.ts';
export { ActionBook, type ActionScripts } from './action-book.ts';
