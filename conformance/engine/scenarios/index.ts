export { definePlays } from './chapters.ts';
export type { Stage } from './stage.ts';
