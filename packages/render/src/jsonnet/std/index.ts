export { standardLibrary } from './library.ts';
