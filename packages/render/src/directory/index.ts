export { type DirectoryOptions, renderDirectory } from './render-directory.ts';
