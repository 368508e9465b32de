export { parseDocuments } from './documents.ts';
