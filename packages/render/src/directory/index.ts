export { renderDirectory } from './render-directory.ts';
