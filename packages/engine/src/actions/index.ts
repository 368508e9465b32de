export { ActionBook, type ActionScripts } from './action-book.ts';
export type { ActionWrite } from './actions.ts';
