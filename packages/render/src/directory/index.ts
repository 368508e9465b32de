export { directorySelection, renderDirectory } from './render-directory.ts';
