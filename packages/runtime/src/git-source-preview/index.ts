export { previewFiles } from './preview-files.ts';
