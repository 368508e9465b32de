export { manifestsOfText } from './manifest-file.ts';
export { directorySelection, renderDirectory } from './render-directory.ts';
